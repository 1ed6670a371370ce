package io.weir.kernel.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.TestKernel;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that are asked for a certificate, with openssl as the client. */
@Tag("slow")
class ClientCertificateTest {
    @TempDir
    Path folder;

    private TestAuthority authority;
    private TlsConfig.Certificate server;
    private TlsConfig.Certificate alice;

    @BeforeEach
    void authority() throws Exception {
        authority = new TestAuthority(folder);
        server = authority.pem("a.example");
        alice = authority.pem("alice");
    }

    private Listener open(TestKernel k, TlsConfig.Provider provider, String... more) throws Exception {
        List<String> settings = new ArrayList<>(List.of(more));
        settings.add("tls.client-trust=" + authority.file());
        k.echo.answerWith(c -> " " + c.clientCertificates().size());
        return k.kernel.open("secure", TestAuthority.with(provider, settings, server), k.echo);
    }

    private String shows(Listener l, TlsConfig.Certificate c, String answer, String... more) throws Exception {
        List<String> all = new ArrayList<>(List.of(more));
        all.addAll(List.of(
                "-cert",
                String.valueOf(c.files().chainFile()),
                "-key",
                String.valueOf(c.files().keyFile())));
        return Openssl.talk(l.address(), "hello", answer, all.toArray(String[]::new));
    }

    private static long failures(TestKernel k, TlsCause cause) {
        return k.stats.value(KernelStats.TLS_FAILURES, "secure", cause.label());
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL,-tls1_2", "BORINGSSL,-tls1_3", "JDK,-tls1_2", "JDK,-tls1_3"})
    void neededMeansThatNobodyComesInWithoutOne(TlsConfig.Provider provider, String version) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, provider, "tls.client-auth=need");
            assertThat(shows(l, alice, "hello 1", version)).contains("hello 1\n");
            assertThat(Openssl.talk(l.address(), "hello", "never", version)).doesNotContain("hello 0");
            Await.until("counted", () -> failures(k, TlsCause.CERTIFICATE_MISSING) == 1);
            assertThat(k.echo.connections()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"BORINGSSL", "JDK"})
    void wantedMeansThatOneMayBeLeftOutButNotBeAStrangers(TlsConfig.Provider provider) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, provider, "tls.client-auth=want");
            assertThat(Openssl.talk(l.address(), "hello", "hello 0")).contains("hello 0\n");
            assertThat(shows(l, alice, "hello 1")).contains("hello 1\n");
            Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
            TlsConfig.Certificate stranger = new TestAuthority(elsewhere).pem("alice");
            assertThat(shows(l, stranger, "never")).doesNotContain("hello 1");
            Await.until("counted", () -> failures(k, TlsCause.CERTIFICATE_INVALID) == 1);
        }
    }

    /** The authority's list, with the serial numbers of these names in it. */
    private Path list(String... revoked) throws Exception {
        StringBuilder index = new StringBuilder();
        for (String name : revoked) {
            String serial = authority.serial(name).toString(16).toUpperCase(Locale.ROOT);
            String even = serial.length() % 2 == 0 ? serial : "0" + serial;
            index.append("R\t491231235959Z\t250101000000Z\t")
                    .append(even)
                    .append("\tunknown\t/CN=")
                    .append(name)
                    .append('\n');
        }
        Files.writeString(folder.resolve("index.txt"), index);
        Files.writeString(
                folder.resolve("ca.cnf"),
                "[ca]\ndefault_ca = d\n[d]\ndatabase = index.txt\ndefault_md = sha256\ndefault_crl_days = 30\n");
        Openssl.run(
                folder,
                "ca",
                "-config",
                "ca.cnf",
                "-gencrl",
                "-keyfile",
                "ca.key",
                "-cert",
                "ca.pem",
                "-out",
                "crl.pem");
        return folder.resolve("crl.pem");
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"BORINGSSL", "JDK"})
    void whomTheAuthorityRevokedIsRefusedAndANewListIsFollowed(TlsConfig.Provider provider) throws Exception {
        TlsConfig.Certificate bob = authority.pem("bob");
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            Listener l = open(k, provider, "tls.client-auth=need", "tls.client-crl=" + list("bob"));
            assertThat(shows(l, bob, "never")).doesNotContain("hello 1");
            Await.until("counted", () -> failures(k, TlsCause.CERTIFICATE_REVOKED) == 1);
            String session = folder.resolve("session.pem").toString();
            assertThat(shows(l, alice, "hello 1", "-sess_out", session))
                    .as("%s", k.log.entries())
                    .contains("hello 1\n");

            list("bob", "alice");
            clock.step(Duration.ofSeconds(10));
            TestAuthority.tls(l).maintain();
            assertThat(k.stats.value(KernelStats.TLS_RELOADS, "secure", "done")).isOne();
            assertThat(shows(l, alice, "never")).doesNotContain("hello 1");
            Await.until("counted", () -> failures(k, TlsCause.CERTIFICATE_REVOKED) == 2);
            if (provider == TlsConfig.Provider.BORINGSSL) {
                assertThat(shows(l, alice, "never", "-sess_in", session))
                        .as("nor by the session of before")
                        .doesNotContain("hello 1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"BORINGSSL", "JDK"})
    void oneThatIsOverIsRefusedAndSoCounted(TlsConfig.Provider provider) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, provider, "tls.client-auth=want");
            assertThat(shows(l, authority.expired("alice"), "never")).doesNotContain("hello 1");
            Await.until("counted", () -> failures(k, TlsCause.CERTIFICATE_EXPIRED) == 1);
        }
    }

    @Test
    void aListWithoutTrustStopsTheStart() throws Exception {
        try (TestKernel k = new TestKernel()) {
            assertThatThrownBy(() -> k.kernel.open(
                            "secure",
                            TestAuthority.with(
                                    TlsConfig.Provider.AUTO, List.of("tls.client-crl=" + authority.file()), server),
                            k.echo))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("client-crl needs client-trust");
        }
    }
}
