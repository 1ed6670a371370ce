package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.kernel.settings.KernelStats;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that show a certificate: what routes make of it, and what origins are told. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class ClientCertificatesTest {
    private static final String FRESH =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello";
    private static final String ALICE = "CN=Alice,O=Example";

    @TempDir
    static Path folder;

    private static X509Bundle alice;
    private static TrustManager[] trust;

    @BeforeAll
    static void authority() throws Exception {
        X509Bundle root = new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        alice = new CertificateBuilder().subject(ALICE).ecp256().buildIssuedBy(root);
        X509Bundle leaf = new CertificateBuilder()
                .subject("CN=localhost")
                .ecp256()
                .addSanDnsName("localhost")
                .buildIssuedBy(root);
        trust = root.toTrustManagerFactory().getTrustManagers();
        Files.writeString(folder.resolve("ca.pem"), root.getCertificatePEM());
        Files.writeString(folder.resolve("l.pem"), leaf.getCertificatePathPEM());
        Files.writeString(folder.resolve("l.key"), leaf.getPrivateKeyPEM());
        Files.writeString(folder.resolve("alice.pem"), alice.getCertificatePathPEM());
        Files.writeString(folder.resolve("alice.key"), alice.getPrivateKeyPEM());
    }

    private TestProxy start(TestOrigin origin, String provider, String... knobs) throws Exception {
        return TestProxy.reversing(origin.port(), knobs)
                .listener(
                        "port=0",
                        "tls.certificates.0.chain-file=" + folder.resolve("l.pem"),
                        "tls.certificates.0.key-file=" + folder.resolve("l.key"),
                        "tls.provider=" + provider,
                        "tls.client-auth=want",
                        "tls.client-trust=" + folder.resolve("ca.pem"))
                .start();
    }

    private SSLContext context(@Nullable X509Bundle who) throws Exception {
        KeyManager[] keys = null;
        if (who != null) {
            char[] secret = "secret".toCharArray();
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(who.toKeyStore("JKS", secret), secret);
            keys = managers.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust, null);
        return context;
    }

    private static RawClient connect(SSLContext context, int port) throws Exception {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        return new RawClient(context.getSocketFactory().createSocket(plain, "localhost", port, true));
    }

    private static List<String> field(String head, String name) {
        List<String> values = new ArrayList<>();
        for (String line : head.split("\r\n", -1)) {
            if (line.toLowerCase(Locale.ROOT).startsWith(name + ": ")) {
                values.add(line.substring(name.length() + 2));
            }
        }
        return values;
    }

    private String encoded() throws Exception {
        return Base64.getEncoder().encodeToString(alice.getCertificate().getEncoded());
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void theOriginIsToldByRfc9440AndAClientCannotSayItItself(String provider) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = start(origin, provider, "client-certificate=rfc9440");
                RawClient known = connect(context(alice), proxy.port());
                RawClient stranger = connect(context(null), proxy.port())) {
            known.get("/a", "Client-Cert: :AAAA:", "client-cert-chain: :BBBB:", "proxy-User-DN: CN=root");
            known.answer();
            String head = origin.heads.getLast();
            assertThat(field(head, "client-cert")).containsExactly(":" + encoded() + ":");
            assertThat(field(head, "client-cert-chain")).isEmpty();
            assertThat(field(head, "proxy-user-dn")).isEmpty();
            stranger.get("/b", "Client-Cert: :AAAA:").answer();
            assertThat(field(origin.heads.getLast(), "client-cert")).isEmpty();
        }
    }

    @Test
    void theProxyServersFieldsTellSubjectIssuerAndCipher() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = start(origin, "auto", "client-certificate=both");
                RawClient known = connect(context(alice), proxy.port());
                RawClient stranger = connect(context(null), proxy.port())) {
            known.get("/a", "Proxy-keysize: 4096").answer();
            String head = origin.heads.getLast();
            assertThat(field(head, "proxy-user-dn")).containsExactly(ALICE);
            assertThat(field(head, "proxy-issuer-dn")).containsExactly("CN=Test authority");
            assertThat(field(head, "proxy-auth-cert")).containsExactly(encoded());
            assertThat(field(head, "proxy-cipher"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("TLS_");
            assertThat(field(head, "proxy-keysize")).containsAnyOf("128", "256").hasSize(1);
            assertThat(field(head, "proxy-secret-keysize")).hasSize(1);
            assertThat(field(head, "client-cert")).hasSize(1);
            stranger.get("/b").answer();
            head = origin.heads.getLast();
            assertThat(field(head, "proxy-user-dn")).isEmpty();
            assertThat(field(head, "proxy-cipher")).hasSize(1);
        }
    }

    @Test
    void nothingIsToldUnlessConfiguredButWhatClientsSayIsRemovedAllTheSame() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = start(origin, "auto");
                RawClient known = connect(context(alice), proxy.port())) {
            known.get("/a", "Client-Cert: :AAAA:", "Proxy-SSL-Id: 1").answer();
            assertThat(origin.heads.getLast())
                    .doesNotContainIgnoringCase("client-cert")
                    .doesNotContain("Proxy-");
        }
    }

    @Test
    void aTrustedProxyInFrontIsBelieved() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = start(origin, "auto", "client-certificate=rfc9440", "trusted-proxies.0=127.0.0.0/8");
                RawClient front = connect(context(alice), proxy.port())) {
            front.get("/a", "Client-Cert: :AAAA:").answer();
            assertThat(field(origin.heads.getLast(), "client-cert")).containsExactly(":AAAA:");
        }
    }

    @Test
    void answersToKnownClientsAreNotSharedWhileTheOriginIsToldWhoTheyAre() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy telling = start(origin, "auto", "client-certificate=rfc9440");
                TestProxy silent = start(origin, "auto")) {
            for (TestProxy proxy : List.of(telling, silent)) {
                int before = origin.heads.size();
                try (RawClient known = connect(context(alice), proxy.port());
                        RawClient stranger = connect(context(null), proxy.port())) {
                    known.get("/a").answer();
                    known.get("/a").answer();
                    stranger.get("/a").answer();
                    assertThat(stranger.get("/a").answer()).contains("; hit");
                }
                assertThat(origin.heads.size() - before).isEqualTo(proxy == telling ? 3 : 1);
            }
        }
    }

    @Test
    void aResumedSessionKnowsItsClientStill() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = start(origin, "boringssl", "client-certificate=rfc9440")) {
            SSLContext context = context(alice);
            for (int i = 0; i < 2; i++) {
                try (RawClient known = connect(context, proxy.port())) {
                    assertThat(((SSLSocket) known.socket).getSession().isValid())
                            .isTrue();
                    known.get("/" + i).answer();
                    assertThat(field(origin.heads.getLast(), "client-cert")).hasSize(1);
                }
            }
            assertThat(proxy.stats.sum(KernelStats.TLS_RESUMED)).isOne();
        }
    }

    @Test
    void routesNeedACertificateASubjectOrAKeyLength() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = start(
                        origin,
                        "auto",
                        "routes.1.path=/need",
                        "routes.1.origins.0=http://127.0.0.1:" + origin.port(),
                        "routes.1.functions.0.name=get-client-cert",
                        "routes.2.path=/bob",
                        "routes.2.origins.0=http://127.0.0.1:" + origin.port(),
                        "routes.2.functions.0.name=get-client-cert",
                        "routes.2.functions.0.parameters.user-dn=.*CN=Bob.*",
                        "routes.3.path=/alice",
                        "routes.3.origins.0=http://127.0.0.1:" + origin.port(),
                        "routes.3.functions.0.name=get-client-cert",
                        "routes.3.functions.0.parameters.user-dn=.*CN=Alice.*",
                        "routes.4.path=/strong",
                        "routes.4.origins.0=http://127.0.0.1:" + origin.port(),
                        "routes.4.functions.0.name=ssl-check",
                        "routes.4.functions.0.parameters.secret-keysize=128",
                        "routes.5.path=/stronger",
                        "routes.5.origins.0=http://127.0.0.1:" + origin.port(),
                        "routes.5.functions.0.name=ssl-check",
                        "routes.5.functions.0.parameters.secret-keysize=512");
                RawClient known = connect(context(alice), proxy.port());
                RawClient stranger = connect(context(null), proxy.port())) {
            assertThat(stranger.get("/need").answer()).startsWith("HTTP/1.1 403 ");
            assertThat(known.get("/need").answer()).startsWith("HTTP/1.1 200 ");
            assertThat(known.get("/bob").answer()).startsWith("HTTP/1.1 403 ");
            assertThat(known.get("/alice").answer()).startsWith("HTTP/1.1 200 ");
            assertThat(proxy.value(ProxyStats.FAULTS, ProxyFault.CLIENT_CERTIFICATE.code()))
                    .isEqualTo(2);
            assertThat(stranger.get("/strong").answer()).startsWith("HTTP/1.1 200 ");
            assertThat(stranger.get("/stronger").answer()).startsWith("HTTP/1.1 403 ");
            assertThat(proxy.value(ProxyStats.FAULTS, ProxyFault.CIPHER_WEAK.code()))
                    .isOne();
        }
    }

    @Test
    void curlShowsItsCertificate() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = start(origin, "auto", "client-certificate=proxy-fields")) {
            Process curl = new ProcessBuilder(
                            "curl",
                            "-sS",
                            "--max-time",
                            "20",
                            "--cacert",
                            "ca.pem",
                            "--cert",
                            "alice.pem",
                            "--key",
                            "alice.key",
                            "https://localhost:" + proxy.port() + "/curl")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(curl.waitFor()).as(said).isZero();
            assertThat(said).isEqualTo("hello");
            assertThat(field(origin.heads.getLast(), "proxy-user-dn")).containsExactly(ALICE);
        }
    }
}
