package io.weir.proxy;

import static io.weir.proxy.FrameClient.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.FrameClient.Answer;
import io.weir.proxy.FrameClient.Frame;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Stats;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 requests meet the same program, cache, limits and log as HTTP/1 ones. */
@ExtendWith(LeakCheck.class)
class Http2AnswersTest {
    private static final String CACHED =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\nX-Custom: A b\r\nConnection: X-Hop\r\n"
                    + "X-Hop: 1\r\n\r\nhello";

    @Test
    void missesAndHitsAreAnsweredInFrames() throws Exception {
        try (TestOrigin origin = TestOrigin.always(CACHED);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            Answer miss = client.get(1, "/a?b=c").answer(1);
            Answer hit = client.get(3, "/a?b=c").answer(3);

            assertThat(miss.status()).isEqualTo("200");
            assertThat(miss.text()).isEqualTo("hello");
            assertThat(miss.fields())
                    .containsEntry("x-custom", "A b")
                    .containsEntry("content-length", "5")
                    .doesNotContainKeys("connection", "x-hop", "transfer-encoding");
            assertThat(miss.fields().get("cache-status")).contains("fwd=uri-miss; stored");
            assertThat(hit.text()).isEqualTo("hello");
            assertThat(hit.fields().get("cache-status")).contains("; hit");
            assertThat(origin.heads).hasSize(1);
            assertThat(origin.heads.getFirst())
                    .startsWith("GET /a?b=c HTTP/1.1\r\nHost: example.com\r\n")
                    .contains("Via: 2 weir")
                    .contains("X-Forwarded-Proto: http");
            assertThat(proxy.value(Http2Stats.STREAMS)).isEqualTo(2);
            assertThat(proxy.value(Http2Stats.CONNECTIONS, "http")).isEqualTo(1);
            assertThat(proxy.value(Http2Stats.OPEN)).isEqualTo(1);
        }
    }

    /** A client that keeps no table of fields is told so in the first block, as it demands (RFC 7541 section 4.2). */
    @Test
    void aTableOfNoSizeIsAgreedOn() throws Exception {
        try (TestOrigin origin = TestOrigin.always(CACHED);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = FrameClient.bare(proxy.port())) {
            client.preface(FrameClient.setting(1, 0));
            byte[] first = client.get(1, "/a").next(FrameClient.HEADERS).payload();
            assertThat(first).startsWith(0x20, 0x88);
            byte[] second = client.get(3, "/a").next(FrameClient.HEADERS).payload();
            assertThat(second).startsWith(0x88);
        }
    }

    @Test
    void bothProtocolsShareOneListenerAndOneCache() throws Exception {
        try (TestOrigin origin = TestOrigin.always(CACHED);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient old = new RawClient(proxy.port());
                FrameClient client = new FrameClient(proxy.port())) {
            assertThat(old.get("/a").head()).contains("fwd=uri-miss");
            assertThat(client.get(1, "/a").answer(1).fields().get("cache-status"))
                    .contains("; hit");
        }
    }

    @Test
    void aPrefaceInPiecesIsRecognisedAndWhatOnlyBeginsLikeOneIsHttp1() throws Exception {
        try (TestOrigin origin = TestOrigin.always(CACHED);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = FrameClient.bare(proxy.port());
                RawClient put = new RawClient(proxy.port())) {
            byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            for (byte b : preface) {
                client.raw(new byte[] {b});
            }
            client.frame(FrameClient.SETTINGS, 0, 0, FrameClient.NOTHING);
            assertThat(client.get(1, "/a").answer(1).text()).isEqualTo("hello");
            put.send("P").send("RI * HTTP/2.1\r\n\r\n");
            assertThat(put.head()).startsWith("HTTP/1.1 ");
        }
    }

    @Test
    void aListenerMayRefuseHttp2() throws Exception {
        try (TestOrigin origin = TestOrigin.always(CACHED);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .listener("port=0", "http2=refused")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 505 ");
        }
    }

    @Test
    void aBodyGoesThroughWithItsTrailersAndCrumbsOfCookiesAreJoined() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    String body = chunks(in);
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length())
                                    + "\r\n" + body + "\r\n0\r\nDigest: 7\r\n\r\n");
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/up", "te: trailers", "cookie: a=1", "cookie: b=2"));
            client.data(1, false, "one ").data(1, false, "two");
            client.frame(
                    FrameClient.HEADERS,
                    FrameClient.END_HEADERS | FrameClient.END_STREAM,
                    1,
                    FrameClient.block("content-md5: t"));
            Answer answer = client.answer(1);
            assertThat(answer.text()).isEqualTo("one two|Content-MD5: t".toLowerCase(java.util.Locale.ROOT));
            assertThat(answer.trailers()).containsEntry("digest", "7");
            assertThat(origin.heads.getFirst()).contains("cookie: a=1; b=2\r\n").contains("Transfer-Encoding: chunked");
        }
    }

    /** A chunked body's data and its trailers. */
    private static String chunks(InputStream in) throws java.io.IOException {
        StringBuilder body = new StringBuilder();
        while (true) {
            int size = Integer.parseInt(line(in), 16);
            if (size == 0) {
                return body.append('|').append(line(in)).toString();
            }
            body.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
            line(in);
        }
    }

    private static String line(InputStream in) throws java.io.IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    @Test
    void slowAndFastStreamsDoNotWaitForEachOther() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("GET /slow")) {
                        try {
                            release.await();
                        } catch (InterruptedException e) {
                            throw new java.io.InterruptedIOException();
                        }
                    }
                    TestOrigin.write(out, CACHED);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            client.get(1, "/slow/a").get(3, "/slow/b?c").get(5, "/fast");
            assertThat(client.answer(5).text()).isEqualTo("hello");
            Await.until(
                    "the slow ones are sessions of their own",
                    () -> sessions(proxy)
                            .equals(Set.of("PROCESSING 127.0.0.1 GET /slow/a", "PROCESSING 127.0.0.1 GET /slow/b?c")));
            release.countDown();
            assertThat(client.answer(1).text()).isEqualTo("hello");
            assertThat(client.get(7, "/fast").answer(7).text()).isEqualTo("hello");
            Await.until("they are over", () -> sessions(proxy).isEmpty());
        }
    }

    private static Set<String> sessions(TestProxy proxy) {
        return proxy.kernel.sessions().active().stream()
                .map(s -> s.status() + " " + s.client() + " " + s.method() + " " + s.uri())
                .collect(Collectors.toSet());
    }

    @Test
    void anAnswerWaitsForTheClientsWindowAndLosesNothing() throws Exception {
        String body = "0123456789".repeat(20_000);
        try (TestOrigin origin = TestOrigin.always(
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=9\r\nContent-Length: 200000\r\n\r\n" + body);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = FrameClient.bare(proxy.port())) {
            client.preface(FrameClient.setting(4, 1000)).get(1, "/big");
            assertThat(client.next(FrameClient.DATA).payload()).hasSize(1000);
            client.frame(FrameClient.WINDOW_UPDATE, 0, 1, FrameClient.number(1_000_000));
            client.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(1_000_000));
            int got = 1000;
            Frame f = client.next(FrameClient.DATA);
            while (!f.ends()) {
                got += f.payload().length;
                f = client.next(FrameClient.DATA);
            }
            assertThat(got + f.payload().length).isEqualTo(200_000);
        }
    }

    @Test
    void anOriginThatCutsItsAnswerIsSeenAsAResetOfTheStreamAlone() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(
                            out,
                            head.startsWith("GET /cut") ? "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc" : CACHED);
                    return !head.startsWith("GET /cut");
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            Frame reset = client.get(1, "/cut").next(FrameClient.RST_STREAM);
            assertThat(reset.error()).isEqualTo(2);
            assertThat(client.get(3, "/a").answer(3).text()).isEqualTo("hello");
        }
    }

    @Test
    void theAccessLogNamesTheProtocol(@TempDir Path folder) throws Exception {
        try (TestOrigin origin = TestOrigin.always(CACHED);
                TestProxy proxy = TestProxy.reversing(origin.port(), "access-log.format=common")
                        .data(folder)
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            client.get(1, "/logged?x").answer(1);
            client.request(3, true, ":method: GET", ":scheme: http", ":path: /bad", "connection: close");
            client.next(FrameClient.RST_STREAM);
        }
        assertThat(log(folder)).contains("\"GET /logged?x HTTP/2.0\" 200 5").contains(" 400 ");
    }

    private static String log(Path folder) {
        try (var files = Files.walk(folder)) {
            StringBuilder all = new StringBuilder();
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(f));
            }
            return all.toString();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aHeadIsAnsweredFromTheStoreWithoutABody() throws Exception {
        try (TestOrigin origin = TestOrigin.always(CACHED);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            client.get(1, "/a").answer(1);
            client.request(3, true, lines("HEAD", "/a"));
            Answer head = client.answer(3);
            assertThat(head.text()).isEmpty();
            assertThat(head.fields()).containsEntry("content-length", "5");

            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aTunnelPassesBytesAndEndsOfBothSides() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "heard " + head.strip() + ";");
                    in.transferTo(out);
                    TestOrigin.write(out, "bye");
                    return false;
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.connect.enabled=on", "routes.0.connect.ports.0=" + origin.port())
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, ":method: CONNECT", ":authority: 127.0.0.1:" + origin.port());
            client.data(1, false, "one\r\n\r\n").data(1, false, "two").data(1, true, " three");
            Answer answer = client.answer(1);
            assertThat(answer.status()).isEqualTo("200");
            assertThat(answer.text()).isEqualTo("heard one;two threebye");
            assertThat(proxy.value(EngineStats.TUNNELS, "connect")).isOne();
            Await.until("the tunnel is over", () -> proxy.value(EngineStats.TUNNELS_OPEN) == 0);
            client.request(3, false, ":method: CONNECT", ":authority: 127.0.0.1:1");
            assertThat(client.answer(3).status()).isEqualTo("403");
        }
    }

    @Test
    void aTunnelEndsWithItsStream() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    try {
                        in.readAllBytes();
                    } finally {
                        ended.countDown();
                    }
                    return false;
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.connect.enabled=on", "routes.0.connect.ports.0=" + origin.port())
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, ":method: CONNECT", ":authority: 127.0.0.1:" + origin.port());
            assertThat(client.fields(client.next(FrameClient.HEADERS))).containsEntry(":status", "200");
            client.data(1, false, "x\r\n\r\n").frame(FrameClient.RST_STREAM, 0, 1, FrameClient.number(8));
            ended.await();
            Await.until("the tunnel is over", () -> proxy.value(EngineStats.TUNNELS_OPEN) == 0);
            assertThat(proxy.value(Http2Stats.RESETS_RECEIVED, "cancel")).isOne();
            client.frame(FrameClient.GOAWAY, 0, 0, new byte[8]);
            Await.until("it is counted", () -> proxy.value(Http2Stats.GOAWAYS_RECEIVED, "no-error") == 1);
        }
    }

    @Test
    void theShortRestOfARequestThatIsAnsweredIsDropped() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on", "drain-after-error=1KiB")
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/", "content-length: 1001"));
            assertThat(client.answer(1).status()).isEqualTo("403");
            client.data(1, false, "x".repeat(1000)).data(1, true, "y");
            client.get(3, "/");
            assertThat(client.answer(3).status()).isEqualTo("403");
            assertThat(proxy.value(EngineStats.UNREAD_RESTS, "read")).isOne();
            assertThat(proxy.stats.sum(Http2Stats.RESETS_SENT)).isZero();
        }
    }

    /** The client waits for this, and sends nothing more meanwhile. */
    @Test
    void aRequestThatIsAnsweredBeforeItsBodyIsResetWithTheAnswer() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on", "drain-after-error=1KiB")
                        .kernel("time-outs.body=1h")
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            String[][] bodies = {{}, {"content-length: 1025"}};
            for (int i = 0; i < bodies.length; i++) {
                int stream = 1 + 2 * i;
                client.request(stream, false, lines("POST", "/", bodies[i]));
                assertThat(client.answer(stream).status()).isEqualTo("403");
                Frame reset = client.next(FrameClient.RST_STREAM);
                assertThat(reset.stream()).isEqualTo(stream);
                assertThat(reset.error()).isZero();
                // what it sent before it knew
                client.data(stream, false, "x".repeat(1000));
            }
            client.get(5, "/");
            assertThat(client.answer(5).status()).isEqualTo("403");
            assertThat(proxy.value(EngineStats.UNREAD_RESTS, "closed")).isEqualTo(2);
        }
    }

    /** As many requests are reset before the client can know as it may have open. */
    @Test
    void dataOfAllRequestsThatWereResetIsIgnored() throws Exception {
        int streams = 300;
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on", "http2.concurrent-streams=" + streams)
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            for (int i = 0; i < streams; i++) {
                client.request(1 + 2 * i, false, lines("POST", "/"));
            }
            for (int i = 0; i < streams; i++) {
                assertThat(client.next(FrameClient.RST_STREAM).error()).isZero();
            }
            for (int i = 0; i < streams; i++) {
                client.data(1 + 2 * i, true, "x");
            }
            client.get(1 + 2 * streams, "/");
            assertThat(client.answer(1 + 2 * streams).status()).isEqualTo("403");
        }
    }

    @Test
    void aSlowBodyIsGivenUp() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    in.readNBytes(10);
                    return false;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "time-outs.body=300ms")
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/", "content-length: 10"));
            client.data(1, false, "abc");
            assertThat(client.answer(1).status()).isEqualTo("408");
            assertThat(proxy.value(EngineStats.BODY_TIMEOUTS)).isOne();
        }
    }
}
