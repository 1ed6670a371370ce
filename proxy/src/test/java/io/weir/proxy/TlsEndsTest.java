package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** TLS on both sides: clients of an encrypted listener, https origins. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class TlsEndsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

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
    }

    private X509Bundle leaf(String name) throws Exception {
        return new CertificateBuilder()
                .subject("CN=" + name)
                .ecp256()
                .addSanDnsName(name)
                .buildIssuedBy(root);
    }

    private TestOrigin encrypted(String name, String answer) throws Exception {
        char[] secret = "secret".toCharArray();
        KeyStore keys = leaf(name).toKeyStore("JKS", secret);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return new TestOrigin(
                context.getServerSocketFactory().createServerSocket(0, 128, InetAddress.getLoopbackAddress()),
                (head, in, out) -> {
                    TestOrigin.write(out, answer);
                    return true;
                });
    }

    private TestProxy.Made to(TestOrigin origin, String... more) {
        String[] all = new String[more.length + 1];
        all[0] = "routes.0.origins.0=https://localhost:" + origin.port();
        System.arraycopy(more, 0, all, 1, more.length);
        return TestProxy.Made.of(all);
    }

    private String trust() {
        return "origin-tls.trust-file=" + folder.resolve("ca.pem");
    }

    @Test
    void anEncryptedOriginIsVerifiedAndItsConnectionReused() throws Exception {
        try (TestOrigin origin = encrypted("localhost", OK);
                TestProxy proxy = to(origin, trust()).start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/" + i).answer())
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("hello");
            }
            assertThat(origin.connections).hasValue(1);
        }
    }

    @Test
    void anOriginOfUnknownAuthorityIs502() throws Exception {
        try (TestOrigin origin = encrypted("localhost", OK);
                TestProxy proxy = to(origin).start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/").answer()).startsWith("HTTP/1.1 502 ").contains("TLS");
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(ProxyStats.FAULTS, ProxyFault.ORIGIN_TLS.code()))
                    .isOne();
            assertThat(proxy.value(EngineStats.ORIGIN_FAILURES, "tls-failed")).isOne();
            Await.until("its place is free", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) == 0);
        }
    }

    @Test
    void anOriginWithAnotherNameIs502() throws Exception {
        try (TestOrigin origin = encrypted("other.example", OK);
                TestProxy proxy = to(origin, trust()).start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/").answer()).startsWith("HTTP/1.1 502 ");
            assertThat(origin.heads).isEmpty();
        }
    }

    @Test
    void verificationCanBeTurnedOff() throws Exception {
        try (TestOrigin origin = encrypted("other.example", OK);
                TestProxy proxy = to(origin, "origin-tls.verify=off").start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/").answer()).endsWith("hello");
        }
    }

    @Test
    void aTrustFileThatIsNotThereStopsTheStart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestProxy.Made.of("origin-tls.trust-file=/nowhere/ca.pem")
                        .start()
                        .close())
                .withMessageContaining("proxy.origin-tls")
                .withMessageContaining("/nowhere/ca.pem");
    }

    private TestProxy.Made listening(TestProxy.Made made) throws Exception {
        X509Bundle leaf = leaf("localhost");
        Path chain = Files.writeString(folder.resolve("l.pem"), leaf.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve("l.key"), leaf.getPrivateKeyPEM());
        return made.listener("port=0", "tls.certificates.0.chain-file=" + chain, "tls.certificates.0.key-file=" + key);
    }

    private RawClient connect(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, root.toTrustManagerFactory().getTrustManagers(), null);
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        return new RawClient(context.getSocketFactory().createSocket(plain, "localhost", port, true));
    }

    @Test
    void anEncryptedClientIsServedLikeAnyOther() throws Exception {
        String big = "b".repeat(2_000_000);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    int length = Integer.parseInt(head.replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
                    int got = in.readNBytes(length).length;
                    TestOrigin.write(
                            out, "HTTP/1.1 200 OK\r\nX-Got: " + got + "\r\nContent-Length: 2000000\r\n\r\n" + big);
                    return true;
                });
                TestProxy proxy = listening(TestProxy.reversing(origin.port())).start();
                RawClient client = connect(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                client.send("POST /" + i + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
                        + "u".repeat(1_000_000));
                assertThat(client.answer()).contains("X-Got: 1000000\r\n").endsWith("bbb");
            }
            assertThat(origin.heads.getFirst()).contains("X-Forwarded-Proto: https\r\n");
            client.send("BAD\r\n\r\n");
            assertThat(client.rest()).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void encryptedAndPlainUrlsAreDifferentInTheStore() throws Exception {
        String fresh = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello";
        try (TestOrigin origin = TestOrigin.always(fresh);
                TestProxy proxy = listening(TestProxy.reversing(origin.port())).start();
                RawClient client = connect(proxy.port())) {
            assertThat(client.get("/a").answer()).contains("fwd=uri-miss");
            assertThat(client.get("/a").answer()).contains("; hit");
            client.send("GET https://example.com/a HTTP/1.1\r\nHost: example.com\r\n\r\n");
            assertThat(client.answer()).contains("; hit");
            client.send("GET http://example.com/a HTTP/1.1\r\nHost: example.com\r\n\r\n");
            assertThat(client.answer()).doesNotContain("; hit");
        }
    }

    @Test
    void anUpgradeThroughAnEncryptedListenerPassesBytesUntilEitherEnds() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 101 S\r\nUpgrade: raw\r\nConnection: upgrade\r\n\r\n");
                    in.transferTo(out);
                    TestOrigin.write(out, "bye");
                    return false;
                });
                TestProxy proxy = listening(TestProxy.reversing(origin.port())).start();
                RawClient client = connect(proxy.port())) {
            client.get("/t", "Connection: upgrade", "Upgrade: raw");
            assertThat(client.head()).startsWith("HTTP/1.1 101 ");
            assertThat(client.send("ping").bytes(4)).isEqualTo("ping");
            client.socket.shutdownOutput();
            Await.until("it is closed", () -> proxy.value(EngineStats.TUNNELS_OPEN) == 0);
        }
    }
}
