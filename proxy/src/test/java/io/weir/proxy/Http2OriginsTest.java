package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.kernel.listen.BindFailure;
import io.weir.proxy.http2.Http2Stats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Origins that speak HTTP/2, played by another Weir before a scripted origin, or frame by frame. */
@ExtendWith(LeakCheck.class)
class Http2OriginsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static TestProxy.Made to(int port, String... more) {
        List<String> lines = new ArrayList<>(
                List.of("routes.0.pool=p", "origins.p.servers.0.url=http://127.0.0.1:" + port, "origins.p.http2=on"));
        lines.addAll(Arrays.asList(more));
        return TestProxy.Made.of(lines.toArray(String[]::new));
    }

    private static TestProxy front(TestOrigin origin) throws BindFailure {
        return TestProxy.reversing(origin.port(), "via-pseudonym=between")
                .listener("port=0", "http2=only")
                .start();
    }

    @Test
    void manyRequestsShareOneConnection() throws Exception {
        CountDownLatch all = new CountDownLatch(8);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    all.countDown();
                    await(all);
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy between = front(origin);
                TestProxy proxy = to(between.port()).start()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RawClient client = new RawClient(proxy.port());
                clients.add(client);
                client.get("/" + i);
            }
            for (RawClient client : clients) {
                assertThat(client.answer()).endsWith("hello");
                client.close();
            }
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS)).isOne();
            assertThat(proxy.value(Http2Stats.ORIGIN_STREAMS)).isEqualTo(8);
            assertThat(between.value(Http2Stats.STREAMS)).isEqualTo(8);
            assertThat(origin.heads.getFirst()).contains(" HTTP/1.1\r\nHost: example.com\r\n");
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new java.io.InterruptedIOException();
        }
    }

    @Test
    void bodiesAndTrailersPassBothWays() throws Exception {
        String large = "0123456789".repeat(50_000);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    String body = new String(in.readNBytes(500_000), java.nio.charset.StandardCharsets.ISO_8859_1);
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length())
                                    + "\r\n" + body + "\r\n0\r\nDigest: 7\r\n\r\n");
                    return true;
                });
                TestProxy between = front(origin);
                TestProxy proxy = to(between.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(
                    "POST /up HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: TE\r\nContent-Length: 500000\r\n\r\n"
                            + large);
            assertThat(client.answer().replaceAll("\r\n[0-9a-f]{1,5}\r\n", ""))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Transfer-Encoding: chunked")
                    .contains(large)
                    .contains("digest: 7");
        }
    }

    @Test
    void anAnswerIsStoredAndAnswersWithoutBodiesAreWhole() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            head.startsWith("GET /none")
                                    ? "HTTP/1.1 204 No Content\r\n\r\n"
                                    : "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\n"
                                            + (head.startsWith("HEAD") ? "" : "hello"));
                    return true;
                });
                TestProxy between = front(origin);
                TestProxy proxy = to(between.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/none").head()).startsWith("HTTP/1.1 204 ").contains("Via: 1.1 between, 2 weir\r\n");
            assertThat(client.get("/a").answer()).endsWith("hello").contains("Via: 2 weir\r\n");
            assertThat(client.get("/a").answer())
                    .contains("weir; hit")
                    .contains("via: 1.1 between\r\n")
                    .contains("Via: 2 weir\r\n");
            client.send("DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
        }
    }

    @Test
    void whatTheOriginRefusesUnreadIsSentAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (FrameOrigin origin = new FrameOrigin((peer, stream) -> {
                    if (asked.incrementAndGet() == 1) {
                        peer.frame(FrameClient.RST_STREAM, 0, stream, FrameClient.number(7));
                    } else {
                        peer.frame(FrameClient.HEADERS, 5, stream, FrameClient.block(":status: 200", "x-try: 2"));
                    }
                });
                TestProxy proxy = to(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ").contains("x-try: 2");
            assertThat(proxy.value(Http2Stats.ORIGIN_UNPROCESSED)).isOne();
            assertThat(proxy.value(Http2Stats.ORIGIN_RESETS, "refused-stream")).isOne();
        }
    }

    @Test
    void aPostThatTheOriginRefusesUnreadIsSentAgainWithItsBody() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        List<String> bodies = new ArrayList<>();
        try (FrameOrigin origin = new FrameOrigin((peer, stream) -> {
                    FrameClient.Frame data = peer.next(FrameClient.DATA);
                    bodies.add(new String(data.payload(), StandardCharsets.ISO_8859_1));
                    if (asked.incrementAndGet() == 1) {
                        peer.frame(FrameClient.RST_STREAM, 0, stream, FrameClient.number(7));
                    } else {
                        peer.frame(FrameClient.HEADERS, 5, stream, FrameClient.block(":status: 200", "x-try: 2"));
                    }
                });
                TestProxy proxy = to(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ").contains("x-try: 2");
            assertThat(bodies).containsExactly("hello", "hello");
        }
    }

    @Test
    void whatGoawayLeavesOutIsSentAgainOnAnotherConnection() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (FrameOrigin origin = new FrameOrigin((peer, stream) -> {
                    if (asked.incrementAndGet() == 1) {
                        peer.frame(FrameClient.GOAWAY, 0, 0, new byte[8]);
                    } else {
                        peer.frame(FrameClient.HEADERS, 5, stream, FrameClient.block(":status: 200", "x-try: 2"));
                    }
                });
                TestProxy proxy = to(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ").contains("x-try: 2");
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS)).isEqualTo(2);
            assertThat(proxy.value(Http2Stats.ORIGIN_GOAWAYS, "no-error")).isOne();
        }
    }

    @Test
    void aPostWhoseStreamIsResetIsNotSentAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (FrameOrigin origin = new FrameOrigin((peer, stream) -> {
                    asked.incrementAndGet();
                    peer.frame(FrameClient.RST_STREAM, 0, stream, FrameClient.number(2));
                });
                TestProxy proxy = to(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 502 ");
            assertThat(asked).hasValue(1);
        }
    }

    /** RST_STREAM is the last frame of its stream for an origin, too (RFC 9113 section 5.4.2). */
    @Test
    void noDataOfAnAbortedUploadFollowsItsReset() throws Exception {
        int aborts = 20;
        CountDownLatch reset = new CountDownLatch(aborts);
        List<Integer> late = new CopyOnWriteArrayList<>();
        Set<Integer> over = ConcurrentHashMap.newKeySet();
        try (FrameOrigin origin = new FrameOrigin(FrameClient.NOTHING, peer -> {
                    while (true) {
                        FrameClient.Frame f = peer.next();
                        if (f.type() == FrameClient.RST_STREAM) {
                            over.add(f.stream());
                            peer.frame(FrameClient.PING, 0, 0, new byte[8]);
                        } else if (f.type() == FrameClient.DATA && over.contains(f.stream())) {
                            late.add(f.stream());
                        } else if (f.type() == FrameClient.PING) {
                            reset.countDown();
                        }
                    }
                });
                TestProxy proxy = to(origin.port()).start()) {
            for (int i = 0; i < aborts; i++) {
                try (RawClient client = new RawClient(proxy.port())) {
                    client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(5000));
                }
            }
            await(reset);
            assertThat(late).isEmpty();
            assertThat(over).hasSize(aborts);
        }
    }

    @Test
    void aMalformedAnswerIsNone() throws Exception {
        String[] lines = {"connection: close", "x: a\rb", "X: 1", ":path: /", "transfer-encoding: chunked"};
        AtomicInteger asked = new AtomicInteger();
        try (FrameOrigin origin = new FrameOrigin((peer, stream) -> peer.frame(
                        FrameClient.HEADERS,
                        5,
                        stream,
                        FrameClient.block(":status: 200", lines[asked.getAndIncrement()])));
                TestProxy proxy = to(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < lines.length; i++) {
                client.get("/" + i);
                assertThat(client.answer()).startsWith("HTTP/1.1 502 ");
            }
        }
    }

    @Test
    void anOriginThatClosesUnheardIsNotConnectedToAgainAndAgainForAWebSocket() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (FrameOrigin origin = new FrameOrigin(FrameClient.NOTHING, peer -> {}, (begun, socket) -> {}) {
                    @Override
                    boolean refuses() {
                        connections.incrementAndGet();
                        return true;
                    }
                };
                TestProxy proxy = to(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.get(
                    "/a", "Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==");
            assertThat(client.answer()).startsWith("HTTP/1.1 502 ");
            assertThat(connections).hasValueLessThan(4);
        }
    }

    @Test
    void anOriginThatNeverSaysItsSettingsIsGivenUp() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                TestProxy proxy = to(mute.getLocalPort(), "time-outs.connect=200ms", "time-outs.response-header=1m")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get(
                    "/a", "Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==");
            try (Socket accepted = mute.accept()) {
                assertThat(client.answer()).startsWith("HTTP/1.1 502 ");
                assertThat(new String(accepted.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                        .as("all that came before it was closed")
                        .startsWith("PRI * HTTP/2.0");
            }
        }
    }

    @Test
    void aBodyWithoutAHeadIsNoAnswerWhateverItSays() throws Exception {
        try (FrameOrigin origin = new FrameOrigin((peer, stream) ->
                        peer.frame(FrameClient.DATA, 0, stream, OK.getBytes(StandardCharsets.US_ASCII)));
                TestProxy proxy = to(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a");
            assertThat(client.answer()).startsWith("HTTP/1.1 502 ").doesNotContain("hello");
        }
    }

    @Test
    void tlsAgreesOnHttp2WhereItIsOffered(@TempDir Path folder) throws Exception {
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
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy between = TestProxy.reversing(origin.port(), "via-pseudonym=between")
                        .listener(
                                "port=0",
                                "tls.certificates.0.chain-file=" + folder.resolve("chain.pem"),
                                "tls.certificates.0.key-file=" + folder.resolve("key.pem"))
                        .start();
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.origins.0=https://localhost:" + between.port(),
                                "origin-tls.trust-file=" + folder.resolve("ca.pem"),
                                "origin-tls.alpn.0=h2",
                                "origin-tls.alpn.1=http/1.1")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).endsWith("hello");
            assertThat(client.get("/b").answer()).endsWith("hello");
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS)).isOne();
            assertThat(proxy.value(Http2Stats.ORIGIN_STREAMS)).isEqualTo(2);
            assertThat(between.value(Http2Stats.STREAMS)).isEqualTo(2);
        }
    }
}
