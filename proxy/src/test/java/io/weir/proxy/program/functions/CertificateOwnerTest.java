package io.weir.proxy.program.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.weir.proxy.program.Bench;
import io.weir.proxy.program.config.CertificateUser;
import io.weir.proxy.program.run.ProgramRun;
import java.security.cert.X509Certificate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who a client certificate says its owner is. */
class CertificateOwnerTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COMMON_NAME | CN=ann,OU=staff,OU=guests,O=x | ann | guests,staff",
                "COMMON_NAME | CN=ann+OU=staff,O=x | ann | staff",
                "COMMON_NAME | CN=ann\\,root,OU=a\\,gold,O=x | ann,root | ''",
                "COMMON_NAME | OU=staff,O=x | |",
                "SUBJECT | OU=staff,O=x | OU=staff,O=x | staff",
                "OFF | CN=ann,OU=staff | |"
            })
    void aCertificateNamesItsUserAndGroups(CertificateUser name, String subject, String user, String groups)
            throws Exception {
        X509Certificate shown = new CertificateBuilder()
                .subject(subject)
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned()
                .getCertificate();
        ProgramRun run = new ProgramRun(new Bench().host, null);
        CertificateUser.Owner owner = name.owner(shown);
        if (owner != null) {
            AuthFunctions.setUser(run, owner.user(), owner.groups());
        }
        assertThat(run.variable("auth-user")).isEqualTo(user);
        assertThat(run.variable("auth-group")).isEqualTo(groups);
    }
}
