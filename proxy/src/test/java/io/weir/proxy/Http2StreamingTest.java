package io.weir.proxy;

import static io.weir.proxy.FrameClient.block;
import static io.weir.proxy.FrameClient.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.FrameClient.Answer;
import io.weir.proxy.FrameClient.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is more than a request and then its answer passes to HTTP/2 origins as it comes: calls both ways, interim answers, trailers. */
@ExtendWith(LeakCheck.class)
class Http2StreamingTest {
    private static final int HEAD = FrameClient.END_HEADERS;
    private static final int WHOLE = FrameClient.END_HEADERS | FrameClient.END_STREAM;

    private final List<Map<String, String>> requests = new CopyOnWriteArrayList<>();

    /** What an origin does with the frames of its streams; heads are kept before. */
    private interface Frames {
        void frame(FrameClient peer, Frame frame) throws IOException;
    }

    private FrameOrigin origin(Frames frames) throws IOException {
        return new FrameOrigin(FrameClient.NOTHING, peer -> {
            while (true) {
                Frame f = peer.next();
                if (f.type() == FrameClient.HEADERS) {
                    requests.add(peer.fields(f));
                }
                frames.frame(peer, f);
            }
        });
    }

    private static TestProxy to(FrameOrigin origin) throws Exception {
        return made(origin).start();
    }

    private static TestProxy.Made made(FrameOrigin origin, String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "routes.0.pool=p", "origins.p.servers.0.url=http://127.0.0.1:" + origin.port(), "origins.p.http2=on"));
        lines.addAll(List.of(more));
        return TestProxy.Made.of(lines.toArray(String[]::new));
    }

    private static String text(Frame f) {
        return new String(f.payload(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aCallGoesBothWaysWhileBothTalk() throws Exception {
        try (FrameOrigin origin = origin((peer, f) -> {
                    if (f.type() == FrameClient.HEADERS) {
                        peer.frame(FrameClient.HEADERS, HEAD, f.stream(), block(":status: 200", "x-call: 1"));
                    } else if (f.type() == FrameClient.DATA && f.ends()) {
                        peer.frame(FrameClient.HEADERS, WHOLE, f.stream(), block("grpc-status: 0"));
                    } else if (f.type() == FrameClient.DATA) {
                        peer.data(f.stream(), false, "heard " + text(f));
                    }
                });
                TestProxy proxy = to(origin);
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/call", "content-type: application/grpc", "te: trailers"));
            assertThat(client.fields(client.next(FrameClient.HEADERS)))
                    .as("before anything of the body was sent")
                    .containsEntry(":status", "200")
                    .doesNotContainKeys("content-length", "transfer-encoding");
            for (String word : List.of("one", "two", "three")) {
                client.data(1, false, word);
                assertThat(text(client.next(FrameClient.DATA))).isEqualTo("heard " + word);
            }
            client.data(1, true, "");
            Frame end = client.next(FrameClient.HEADERS);
            assertThat(end.ends()).isTrue();
            assertThat(client.fields(end)).containsEntry("grpc-status", "0");
            assertThat(requests.getFirst())
                    .containsEntry("te", "trailers")
                    .containsEntry("content-type", "application/grpc")
                    .doesNotContainKeys("connection", "content-length");
        }
    }

    @Test
    void aCallThatFailsAtOnceIsAHeadAlone() throws Exception {
        try (FrameOrigin origin = origin((peer, f) -> {
                    if (f.type() == FrameClient.HEADERS) {
                        peer.frame(FrameClient.HEADERS, WHOLE, f.stream(), block(":status: 200", "grpc-status: 12"));
                        peer.frame(FrameClient.RST_STREAM, 0, f.stream(), FrameClient.number(0));
                    }
                });
                TestProxy proxy = to(origin);
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(1, false, lines("POST", "/call", "te: trailers")).data(1, false, "never read");
            Answer answer = client.answer(1);
            assertThat(answer.fields()).containsEntry(":status", "200").containsEntry("grpc-status", "12");
            assertThat(answer.text()).isEmpty();
        }
    }

    @Test
    void hintsComeBeforeTheAnswer() throws Exception {
        try (FrameOrigin origin = origin((peer, f) -> {
                    if (f.type() == FrameClient.HEADERS) {
                        peer.frame(
                                FrameClient.HEADERS,
                                HEAD,
                                f.stream(),
                                block(":status: 103", "link: </a>; rel=preload"));
                        peer.frame(FrameClient.HEADERS, WHOLE, f.stream(), block(":status: 204", "x-y: 2"));
                    }
                });
                TestProxy proxy = to(origin);
                RawClient old = new RawClient(proxy.port());
                FrameClient client = new FrameClient(proxy.port())) {
            client.get(1, "/a");
            Frame hints = client.next(FrameClient.HEADERS);
            assertThat(hints.ends()).isFalse();
            assertThat(client.fields(hints)).containsEntry(":status", "103").containsEntry("link", "</a>; rel=preload");
            assertThat(client.fields(client.next(FrameClient.HEADERS))).containsEntry(":status", "204");
            old.get("/b");
            assertThat(old.head()).startsWith("HTTP/1.1 103 ").containsIgnoringCase("link: </a>; rel=preload\r\n");
            assertThat(old.head()).startsWith("HTTP/1.1 204 ").contains("x-y: 2");
        }
    }

    @Test
    void aBodyThatIsAskedForIsSentThen() throws Exception {
        try (FrameOrigin origin = origin((peer, f) -> {
                    if (f.type() == FrameClient.HEADERS) {
                        peer.frame(FrameClient.HEADERS, HEAD, f.stream(), block(":status: 100"));
                    } else if (f.type() == FrameClient.DATA && f.ends()) {
                        peer.frame(FrameClient.HEADERS, WHOLE, f.stream(), block(":status: 204"));
                    }
                });
                TestProxy proxy = to(origin);
                RawClient old = new RawClient(proxy.port());
                FrameClient client = new FrameClient(proxy.port())) {
            old.send("PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
            assertThat(old.head()).startsWith("HTTP/1.1 100 ");
            old.send("abc");
            assertThat(old.head()).startsWith("HTTP/1.1 204 ");
            client.request(1, false, lines("PUT", "/a", "expect: 100-continue", "content-length: 3"));
            assertThat(client.fields(client.next(FrameClient.HEADERS))).containsEntry(":status", "100");
            client.data(1, true, "abc");
            assertThat(client.answer(1).status()).isEqualTo("204");
            assertThat(requests)
                    .allSatisfy(r -> assertThat(r)
                            .containsEntry("expect", "100-continue")
                            .containsEntry("content-length", "3"));
        }
    }

    @Test
    void theAccessLogNamesBothProtocols(@TempDir Path folder) throws Exception {
        String format =
                "access-log.custom=%Req->reqpb.protocol% %Req->protv_num% %Req->vars.remote-protocol% %Req->vars.remote-status%";
        try (FrameOrigin origin = origin((peer, f) -> {
                    if (f.type() == FrameClient.HEADERS) {
                        peer.frame(FrameClient.HEADERS, WHOLE, f.stream(), block(":status: 204"));
                    }
                });
                TestProxy proxy = made(origin, "access-log.format=custom", format)
                        .data(folder)
                        .start();
                RawClient old = new RawClient(proxy.port());
                FrameClient client = new FrameClient(proxy.port())) {
            assertThat(client.get(1, "/a").answer(1).status()).isEqualTo("204");
            assertThat(old.get("/b").head()).startsWith("HTTP/1.1 204 ");
        }
        try (Stream<Path> files = Files.walk(folder)) {
            StringBuilder log = new StringBuilder();
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                log.append(Files.readString(f));
            }
            assertThat(log).contains("HTTP/2.0 200 HTTP/2.0 204\n", "HTTP/1.1 101 HTTP/2.0 204\n");
        }
    }

    @Test
    void anAnswerToHeadHasALengthAndNoBody() throws Exception {
        try (FrameOrigin origin = origin((peer, f) -> {
                    if (f.type() == FrameClient.HEADERS) {
                        peer.frame(FrameClient.HEADERS, WHOLE, f.stream(), block(":status: 200", "content-length: 7"));
                    }
                });
                TestProxy proxy = to(origin);
                RawClient old = new RawClient(proxy.port());
                FrameClient client = new FrameClient(proxy.port())) {
            for (int i = 1; i <= 3; i += 2) {
                client.request(i, true, lines("HEAD", "/a"));
                Answer answer = client.answer(i);
                assertThat(answer.fields()).containsEntry(":status", "200").containsEntry("content-length", "7");
                assertThat(answer.text()).isEmpty();
                old.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(old.head()).startsWith("HTTP/1.1 200 ").containsIgnoringCase("content-length: 7\r\n");
            }
        }
    }

    @Test
    void anAnswerThatComesBeforeItsRequestIsReadEndsBoth() throws Exception {
        try (FrameOrigin origin = origin((peer, f) -> {
                    if (f.type() == FrameClient.HEADERS) {
                        peer.frame(FrameClient.HEADERS, HEAD, f.stream(), block(":status: 413"));
                        peer.data(f.stream(), true, "too much");
                        peer.frame(FrameClient.RST_STREAM, 0, f.stream(), FrameClient.number(0));
                    }
                });
                TestProxy proxy = to(origin);
                RawClient old = new RawClient(proxy.port())) {
            old.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc");
            assertThat(old.answer()).startsWith("HTTP/1.1 413 ").contains("too much");
        }
    }
}
