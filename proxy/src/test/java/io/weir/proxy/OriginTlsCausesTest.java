package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.RevocationServer;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SystemClock;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.tls.CertificateOwner;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to origins: why it fails, what is shown to them, and sessions that are resumed with them. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
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
        own(weir(), root);
    }

    private static CertificateBuilder weir() {
        return new CertificateBuilder().subject("CN=Weir").ecp256();
    }

    /** What we show. */
    private void own(CertificateBuilder certificate, X509Bundle by) throws Exception {
        X509Bundle own = certificate.buildIssuedBy(by);
        Files.writeString(folder.resolve("own.pem"), own.getCertificatePathPEM());
        Files.writeString(folder.resolve("own.key"), own.getPrivateKeyPEM());
    }

    private static Instant now() {
        return Instant.ofEpochMilli(SystemClock.INSTANCE.millis());
    }

    private static CertificateBuilder leaf(String name) {
        return new CertificateBuilder().subject("CN=" + name).ecp256().addSanDnsName(name);
    }

    private TestOrigin origin(X509Bundle certificate, Consumer<SSLServerSocket> settings) throws Exception {
        return origin(certificate, settings, (head, in, out) -> {
            TestOrigin.write(out, CLOSING);
            return false;
        });
    }

    private TestOrigin origin(X509Bundle certificate, Consumer<SSLServerSocket> settings, TestOrigin.Handler handler)
            throws Exception {
        char[] secret = "secret".toCharArray();
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(certificate.toKeyStore("JKS", secret), secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), root.toTrustManagerFactory().getTrustManagers(), null);
        SSLServerSocket socket = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 128, InetAddress.getLoopbackAddress());
        settings.accept(socket);
        return new TestOrigin(socket, handler);
    }

    private TestProxy to(int port, String... more) throws Exception {
        String[] all = new String[more.length + 2];
        all[0] = "routes.0.origins.0=https://localhost:" + port;
        all[1] = "origin-tls.trust-file=" + folder.resolve("ca.pem");
        System.arraycopy(more, 0, all, 2, more.length);
        return TestProxy.Made.of(all).start();
    }

    private void fails(String cause, X509Bundle certificate, Consumer<SSLServerSocket> settings, String... knobs)
            throws Exception {
        try (TestOrigin origin = origin(certificate, settings)) {
            fails(cause, origin, knobs);
        }
    }

    private void fails(String cause, TestOrigin origin, String... knobs) throws Exception {
        fails(cause, origin.port(), "502", ProxyFault.ORIGIN_TLS, knobs);
        assertThat(origin.heads).isEmpty();
    }

    private void fails(String cause, int port, String status, ProxyFault fault, String... knobs) throws Exception {
        try (TestProxy proxy = to(port, knobs);
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/").answer()).as(cause).startsWith("HTTP/1.1 " + status + " ");
            assertThat(proxy.value(EngineStats.ORIGIN_TLS_FAILURES, cause))
                    .as(cause)
                    .isOne();
            assertThat(proxy.value(ProxyStats.FAULTS, fault.code())).isOne();
        }
    }

    private static X509Bundle stranger() throws Exception {
        return new CertificateBuilder()
                .subject("CN=Another authority")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void eachFaultOfTheOriginsCertificateIsCountedByItsCause(String provider) throws Exception {
        String by = "origin-tls.provider=" + provider;
        Instant now = now();
        fails("certificate_name", leaf("other.example").buildIssuedBy(root), _ -> {}, by);
        fails("certificate_invalid", leaf("localhost").buildIssuedBy(stranger()), _ -> {}, by);
        X509Bundle old = leaf("localhost")
                .notBefore(now.minus(Duration.ofDays(3)))
                .notAfter(now.minus(Duration.ofDays(1)))
                .buildIssuedBy(root);
        fails("certificate_expired", old, _ -> {}, by);
        X509Bundle revoked = leaf("localhost").buildIssuedBy(root);
        String list = "origin-tls.crl-file=" + revoking(revoked, now);
        fails("certificate_revoked", revoked, _ -> {}, by, list);
        try (TestOrigin origin = origin(leaf("localhost").buildIssuedBy(root), _ -> {});
                TestProxy proxy = to(origin.port(), by, list);
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/").answer()).as("the others are in").startsWith("HTTP/1.1 200 ");
        }
    }

    /** The authority's revocation list with this certificate in it. */
    private Path revoking(X509Bundle certificate, Instant at) throws Exception {
        RevocationServer lists = RevocationServer.getInstance();
        lists.register(root);
        lists.revoke(certificate, at.minus(Duration.ofDays(1)));
        try (InputStream in = lists.getCrlUri(root).toURL().openStream()) {
            return Files.write(folder.resolve("crl.der"), in.readAllBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void anOriginThatDoesNotLetUsInIsCountedByItsCause(String provider) throws Exception {
        String by = "origin-tls.provider=" + provider;
        X509Bundle good = leaf("localhost").buildIssuedBy(root);
        own(weir().notBefore(now().minus(Duration.ofDays(3))).notAfter(now().minus(Duration.ofDays(1))), root);
        try (OpensslOrigin asks = new OpensslOrigin(folder, good, "-Verify", "1", "-CAfile", "ca.pem")) {
            for (String version : new String[] {"TLSv1.3", "TLSv1.2"}) {
                String only = "origin-tls.protocols.0=" + version;
                // with TLS 1.2 a certificate that is missed is told as handshake_failure, as a cipher that is
                String missing = version.equals("TLSv1.3") ? "certificate_missing" : "no_common_cipher";
                fails(missing, asks.port(), "502", ProxyFault.ORIGIN_TLS, by, only);
                fails("certificate_refused", asks.port(), "502", ProxyFault.ORIGIN_TLS, shown(by, only));
            }
        }
    }

    private String[] shown(String... more) {
        String[] all = Arrays.copyOf(more, more.length + 2);
        all[more.length] = "origin-tls.certificate.chain-file=" + folder.resolve("own.pem");
        all[more.length + 1] = "origin-tls.certificate.key-file=" + folder.resolve("own.key");
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void anOriginThatSpeaksNoTlsOfOursIsCountedByItsCause(String provider) throws Exception {
        String by = "origin-tls.provider=" + provider;
        X509Bundle good = leaf("localhost").buildIssuedBy(root);
        fails(
                "no_common_protocol",
                good,
                s -> s.setEnabledProtocols(new String[] {"TLSv1.2"}),
                by,
                "origin-tls.protocols.0=TLSv1.3");
        try (OpensslOrigin old = new OpensslOrigin(folder, good, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")) {
            fails("no_common_protocol", old.port(), "502", ProxyFault.ORIGIN_TLS, by);
        }
        fails(
                "no_common_cipher",
                good,
                s -> s.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"}),
                by,
                "origin-tls.protocols.0=TLSv1.2",
                "origin-tls.ciphers.0=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        try (ServerSocket plain = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            answering(plain, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
            fails("plaintext", plain.getLocalPort(), "502", ProxyFault.ORIGIN_TLS, by);
        }
        try (ServerSocket mute = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            answering(mute, "");
            fails("closed", mute.getLocalPort(), "502", ProxyFault.ORIGIN_TLS, by);
        }
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            fails(
                    "timeout",
                    silent.getLocalPort(),
                    "504",
                    ProxyFault.CONNECT_TIME_OUT,
                    by,
                    "time-outs.tls-handshake=100ms");
        }
    }

    /** Takes one connection, reads what comes first, says this and closes. */
    private static void answering(ServerSocket server, String text) {
        Thread.ofVirtual().start(() -> {
            try (Socket s = server.accept()) {
                var _ = s.getInputStream().read(new byte[16 * 1024]);
                s.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // the test is over
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void anOriginThatAsksIsShownOurCertificateAndSessionsResume(String provider) throws Exception {
        try (TestOrigin origin = origin(leaf("localhost").buildIssuedBy(root), s -> s.setNeedClientAuth(true));
                TestProxy proxy = to(
                        origin.port(),
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

    /** Half an answer for /slow, the rest when it may. */
    private TestOrigin halting(X509Bundle certificate, CompletableFuture<Void> go) throws Exception {
        return origin(certificate, _ -> {}, (head, in, out) -> {
            if (!head.startsWith("GET /one/slow ")) {
                TestOrigin.write(out, CLOSING);
                return false;
            }
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\nfirst");
            go.orTimeout(20, TimeUnit.SECONDS).join();
            TestOrigin.write(out, "other");
            return false;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void changedFilesAreForNewConnectionsAndAnOpenTransferCompletes(String provider) throws Exception {
        CompletableFuture<Void> go = new CompletableFuture<>();
        X509Bundle next = stranger();
        Files.writeString(folder.resolve("next.pem"), next.getCertificatePEM());
        X509Bundle second = leaf("localhost").buildIssuedBy(next);
        try (TestOrigin one = halting(leaf("localhost").buildIssuedBy(root), go);
                OpensslOrigin two = new OpensslOrigin(folder, second, "-Verify", "1", "-CAfile", "next.pem");
                TestProxy proxy = TestProxy.Made.of(shown(
                                "routes.0.path=/one",
                                "routes.0.origins.0=https://localhost:" + one.port(),
                                "routes.1.path=/two",
                                "routes.1.origins.0=https://localhost:" + two.port(),
                                "origin-tls.trust-file=" + folder.resolve("ca.pem"),
                                "origin-tls.reload-interval=0s",
                                "origin-tls.provider=" + provider))
                        .start();
                RawClient client = new RawClient(proxy.port());
                RawClient slow = new RawClient(proxy.port())) {
            assertThat(client.get("/one").answer()).startsWith("HTTP/1.1 200 ");
            assertThat(client.get("/two").answer()).startsWith("HTTP/1.1 502 ");
            slow.get("/one/slow");
            assertThat(slow.head()).startsWith("HTTP/1.1 200 ");
            assertThat(slow.bytes(5)).isEqualTo("first");

            Files.copy(folder.resolve("next.pem"), folder.resolve("ca.pem"), StandardCopyOption.REPLACE_EXISTING);
            own(weir(), next);
            CertificateOwner files = proxy.kernel.certificateOwners().getFirst();
            assertThat(files.reload().changes()).hasSize(3).anyMatch(c -> c.contains("own.pem: serial"));
            assertThat(whole(client.get("/two").answer()))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Subject: CN=Weir")
                    .contains("Issuer: CN=Another authority");
            assertThat(client.get("/one").answer())
                    .as("nobody vouches for it now")
                    .startsWith("HTTP/1.1 502 ");
            go.complete(null);
            assertThat(slow.bytes(5)).isEqualTo("other");

            Files.writeString(folder.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\nhalf of");
            assertThat(files.reload().failure()).contains("ca.pem");
            assertThat(client.get("/two").answer()).startsWith("HTTP/1.1 200 ");
            for (String outcome : new String[] {"done", "failed"}) {
                assertThat(proxy.value(KernelStats.TLS_RELOADS, "proxy.origin-tls", outcome))
                        .as(outcome)
                        .isOne();
            }
        }
    }

    /** Without the sizes of chunks, which may part a word. */
    private static String whole(String answer) {
        return answer.replaceAll("\r\n[0-9a-f]+\r\n", "");
    }

    @Test
    void connectionsOfBeforeAChangeAreNotReusedAfterIt() throws Exception {
        // an address: a name whose addresses are just found would be another server, with connections of its own
        X509Bundle good = leaf("localhost").addSanIpAddress("127.0.0.1").buildIssuedBy(root);
        try (TestOrigin origin = origin(good, _ -> {}, (head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
                    return true;
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.origins.0=https://127.0.0.1:" + origin.port(),
                                "origin-tls.trust-file=" + folder.resolve("ca.pem"),
                                "origin-tls.reload-interval=0s")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            CertificateOwner files = proxy.kernel.certificateOwners().getFirst();
            client.get("/1").answer();
            assertThat(files.reload().changes()).isEmpty();
            client.get("/2").answer();
            assertThat(origin.connections).as("nothing changed").hasValue(1);
            Files.writeString(folder.resolve("ca.pem"), stranger().getCertificatePEM() + root.getCertificatePEM());
            assertThat(files.reload().changes()).hasSize(1);
            assertThat(client.get("/3").answer()).startsWith("HTTP/1.1 200 ");
            assertThat(origin.connections).hasValue(2);
            assertThat(proxy.value(EngineStats.ORIGIN_RETIRED, "tls-changed")).isOne();
            client.get("/4").answer();
            assertThat(origin.connections).hasValue(2);
            assertThat(proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS)).isOne();
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
