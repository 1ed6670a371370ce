package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.run.ProxyStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An HTTP/2 connection to an origin is shared by those who may go there, and by nobody else. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class DestinationHttp2Test {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    @TempDir
    Path folder;

    private SSLContext context;
    private SSLContext server;

    @BeforeEach
    void authority() throws Exception {
        X509Bundle root = new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        X509Bundle leaf = new CertificateBuilder()
                .subject("CN=localhost")
                .ecp256()
                .addSanDnsName("localhost")
                .buildIssuedBy(root);
        Files.writeString(folder.resolve("ca.pem"), root.getCertificatePEM());
        Files.writeString(folder.resolve("chain.pem"), leaf.getCertificatePathPEM());
        Files.writeString(folder.resolve("key.pem"), leaf.getPrivateKeyPEM());
        char[] secret = "secret".toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(leaf.toKeyStore("JKS", secret), secret);
        server = SSLContext.getInstance("TLS");
        server.init(keys.getKeyManagers(), null, null);
        context = SSLContext.getInstance("TLS");
        context.init(null, root.toTrustManagerFactory().getTrustManagers(), null);
    }

    private String[] listener(String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "port=0",
                "tls.certificates.0.chain-file=" + folder.resolve("chain.pem"),
                "tls.certificates.0.key-file=" + folder.resolve("key.pem")));
        lines.addAll(List.of(more));
        return lines.toArray(String[]::new);
    }

    private String[] knobs(String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "routes.0.forward=on",
                "destinations.clients.0=0.0.0.0/0",
                "origin-tls.trust-file=" + folder.resolve("ca.pem"),
                "origin-tls.alpn.0=h2",
                "origin-tls.alpn.1=http/1.1"));
        lines.addAll(List.of(more));
        return lines.toArray(String[]::new);
    }

    private TestProxy front(TestOrigin origin) throws Exception {
        return TestProxy.reversing(origin.port(), "via-pseudonym=between")
                .listener(listener())
                .start();
    }

    private TestProxy proxy(String... more) throws Exception {
        return TestProxy.Made.of(knobs(more))
                .listener(listener("proxy-protocol.enabled=on"))
                .start();
    }

    private RawClient from(TestProxy proxy, String address) throws IOException {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        plain.getOutputStream()
                .write(("PROXY TCP4 " + address + " 127.0.0.1 9999 80\r\n").getBytes(StandardCharsets.US_ASCII));
        return new RawClient(context.getSocketFactory().createSocket(plain, "localhost", proxy.port(), true));
    }

    private static RawClient ask(RawClient client, TestProxy between) throws IOException {
        return ask(client, between.port());
    }

    private static RawClient ask(RawClient client, int port) throws IOException {
        String there = "localhost:" + port;
        return client.send("POST https://" + there + "/a HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
    }

    @Test
    void aSharedConnectionIsNotForAnOutsiderAndFollowsTheRules() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy between = front(origin);
                TestProxy proxy = proxy();
                RawClient in = from(proxy, "127.0.0.1");
                RawClient out = from(proxy, "192.0.2.7")) {
            assertThat(ask(in, between).answer()).endsWith("hello");
            assertThat(ask(out, between).answer()).startsWith("HTTP/1.1 403 ");
            proxy.config.set(TestProxy.bind(
                    ProxyConfig.class, knobs("destinations.allow.0=127.0.0.0/8", "destinations.allow.1=::1")));
            assertThat(ask(out, between).answer()).endsWith("hello");
            proxy.config.set(TestProxy.bind(
                    ProxyConfig.class, knobs("destinations.deny.0=127.0.0.0/8", "destinations.deny.1=::1")));
            assertThat(ask(in, between).answer()).startsWith("HTTP/1.1 403 ");
            assertThat(ask(out, between).answer()).startsWith("HTTP/1.1 403 ");
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS)).isOne();
            assertThat(proxy.value(Http2Stats.ORIGIN_STREAMS)).isEqualTo(2);
        }
    }

    @Test
    void anOutsiderWhoWaitsGetsNoStreamInTheFreedPlace() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    try {
                        assertThat(go.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy between = front(origin);
                TestProxy proxy = proxy("origin-pool.max-connections-per-origin=1");
                RawClient one = from(proxy, "127.0.0.1");
                RawClient out = from(proxy, "192.0.2.7");
                RawClient two = from(proxy, "127.0.0.1")) {
            ask(one, between);
            Await.until("the place is taken", () -> origin.heads.size() == 1);
            ask(out, between);
            Await.until("the outsider waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 1);
            ask(two, between);
            Await.until("an insider, too", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 2);
            go.countDown();
            assertThat(one.answer()).endsWith("hello");
            assertThat(out.answer()).startsWith("HTTP/1.1 403 ");
            assertThat(two.answer()).endsWith("hello");
            assertThat(proxy.value(Http2Stats.ORIGIN_STREAMS)).isEqualTo(2);
        }
    }

    /** The address was let pass, and then the rules changed, before there was a connection. */
    @Test
    void aRuleThatIsChangedCountsForAConnectionThatIsBeingMade() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch accepted = new CountDownLatch(1);
        List<String> heads = new CopyOnWriteArrayList<>();
        try (ServerSocket origin = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
                TestProxy proxy = proxy();
                RawClient in = from(proxy, "127.0.0.1")) {
            Thread.ofVirtual().start(() -> {
                try (Socket plain = origin.accept()) {
                    accepted.countDown();
                    assertThat(go.await(3, TimeUnit.MINUTES)).isTrue();
                    SSLSocket tls = (SSLSocket) server.getSocketFactory().createSocket(plain, null, false);
                    tls.setUseClientMode(false);
                    heads.add(String.valueOf(TestOrigin.readHead(tls.getInputStream())));
                } catch (IOException | InterruptedException e) {
                    // the proxy closed it, or the test is over
                }
            });
            ask(in, origin.getLocalPort());
            assertThat(accepted.await(3, TimeUnit.MINUTES)).isTrue();
            proxy.config.set(TestProxy.bind(
                    ProxyConfig.class, knobs("destinations.deny.0=127.0.0.0/8", "destinations.deny.1=::1")));
            go.countDown();
            assertThat(in.answer()).startsWith("HTTP/1.1 403 ");
            assertThat(proxy.value(ProxyStats.DESTINATIONS_REFUSED, "address-denied"))
                    .isOne();
            assertThat(heads).isEmpty();
        }
    }
}
