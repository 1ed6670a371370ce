package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SystemClock;
import io.weir.proxy.program.ProxyFault;
import io.weir.proxy.program.ProxyStats;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to origins: why it fails, what is shown to them, and sessions that are resumed with them. */
@ExtendWith(LeakCheck.class)
class OriginTlsCausesTest {
    private static final String CLOSING = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";

    @TempDir
    Path folder;

    private X509Bundle root;

    @BeforeEach
    void authority() throws Exception {
        root = new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        Files.writeString(folder.resolve("ca.pem"), root.getCertificatePEM());
        X509Bundle own = new CertificateBuilder().subject("CN=Weir").ecp256().buildIssuedBy(root);
        Files.writeString(folder.resolve("own.pem"), own.getCertificatePathPEM());
        Files.writeString(folder.resolve("own.key"), own.getPrivateKeyPEM());
    }

    private static CertificateBuilder leaf(String name) {
        return new CertificateBuilder().subject("CN=" + name).ecp256().addSanDnsName(name);
    }

    private TestOrigin origin(X509Bundle certificate, Consumer<SSLServerSocket> settings) throws Exception {
        char[] secret = "secret".toCharArray();
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(certificate.toKeyStore("PKCS12", secret), secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), root.toTrustManagerFactory().getTrustManagers(), null);
        SSLServerSocket socket = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 128, InetAddress.getLoopbackAddress());
        settings.accept(socket);
        return new TestOrigin(socket, (head, in, out) -> {
            TestOrigin.write(out, CLOSING);
            return false;
        });
    }

    private TestProxy to(TestOrigin origin, String... more) throws Exception {
        String[] all = new String[more.length + 2];
        all[0] = "routes.0.origins.0=https://localhost:" + origin.port();
        all[1] = "origin-tls.trust-file=" + folder.resolve("ca.pem");
        System.arraycopy(more, 0, all, 2, more.length);
        return TestProxy.Made.of(all).start();
    }

    private void fails(String cause, X509Bundle certificate, Consumer<SSLServerSocket> settings, String... knobs)
            throws Exception {
        try (TestOrigin origin = origin(certificate, settings);
                TestProxy proxy = to(origin, knobs);
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/").answer()).startsWith("HTTP/1.1 502 ");
            assertThat(proxy.value(EngineStats.ORIGIN_TLS_FAILURES, cause))
                    .as(cause)
                    .isOne();
            assertThat(proxy.value(ProxyStats.FAULTS, ProxyFault.ORIGIN_TLS.code()))
                    .isOne();
            assertThat(origin.heads).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void eachFailureIsCountedByItsCause(String provider) throws Exception {
        String by = "origin-tls.provider=" + provider;
        Instant now = Instant.ofEpochMilli(SystemClock.INSTANCE.millis());
        X509Bundle stranger = new CertificateBuilder()
                .subject("CN=Another authority")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        fails("certificate_name", leaf("other.example").buildIssuedBy(root), _ -> {}, by);
        fails("certificate_invalid", leaf("localhost").buildIssuedBy(stranger), _ -> {}, by);
        X509Bundle old = leaf("localhost")
                .notBefore(now.minus(Duration.ofDays(3)))
                .notAfter(now.minus(Duration.ofDays(1)))
                .buildIssuedBy(root);
        fails("certificate_expired", old, _ -> {}, by);
        X509Bundle good = leaf("localhost").buildIssuedBy(root);
        fails(
                "no_common_protocol",
                good,
                s -> s.setEnabledProtocols(new String[] {"TLSv1.2"}),
                by,
                "origin-tls.protocols.0=TLSv1.3");
        // an origin that misses our certificate says handshake_failure with TLS 1.2, as one without common cipher does
        fails(
                "no_common_cipher",
                good,
                s -> {
                    s.setEnabledProtocols(new String[] {"TLSv1.2"});
                    s.setNeedClientAuth(true);
                },
                by);
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void anOriginThatAsksIsShownOurCertificateAndSessionsResume(String provider) throws Exception {
        try (TestOrigin origin = origin(leaf("localhost").buildIssuedBy(root), s -> s.setNeedClientAuth(true));
                TestProxy proxy = to(
                        origin,
                        "origin-tls.provider=" + provider,
                        "origin-tls.certificate.chain-file=" + folder.resolve("own.pem"),
                        "origin-tls.certificate.key-file=" + folder.resolve("own.key"));
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/" + i).answer()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(origin.connections).hasValue(3);
            assertThat(proxy.value(EngineStats.ORIGIN_TLS_HANDSHAKES)).isEqualTo(3);
            assertThat(proxy.value(EngineStats.ORIGIN_TLS_RESUMED)).isPositive();
        }
    }

    @Test
    void aCertificateOfOursThatIsNotThereStopsTheStart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestProxy.Made.of(
                                "origin-tls.certificate.chain-file=/nowhere/own.pem",
                                "origin-tls.certificate.key-file=/nowhere/own.key")
                        .start()
                        .close())
                .withMessageContaining("/nowhere/own");
    }
}
