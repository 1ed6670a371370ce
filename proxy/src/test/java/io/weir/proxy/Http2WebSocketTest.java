package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.FrameClient.Frame;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.http2.WebSocketHandshake;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** WebSocket where either side or both speak HTTP/2 (RFC 8441), and where an origin of HTTP/2 does not offer it. */
@ExtendWith(LeakCheck.class)
class Http2WebSocketTest {
    private static final byte[] OFFERED = FrameClient.setting(8, 1);
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    /** Of RFC 6455 section 1.3. */
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private static final Pattern KEY_LINE = Pattern.compile("(?i)\r\nsec-websocket-key: ([^\r]+)");

    private static FrameClient connect(FrameClient client, int stream, String... more) throws IOException {
        List<String> lines = new java.util.ArrayList<>(List.of(
                ":method: CONNECT",
                ":protocol: websocket",
                ":scheme: http",
                ":authority: example.com",
                ":path: /chat?room=1",
                "sec-websocket-version: 13"));
        lines.addAll(List.of(more));
        return client.request(stream, false, lines.toArray(String[]::new));
    }

    private static TestProxy.Made over(int port) {
        return TestProxy.Made.of(
                "routes.0.pool=p", "origins.p.servers.0.url=http://127.0.0.1:" + port, "origins.p.http2=on");
    }

    /** Agrees as HTTP/1 does, then says back what it hears and ends when the other side does. */
    private static void echo(String head, InputStream in, java.io.OutputStream out) throws IOException {
        Matcher key = KEY_LINE.matcher(head);
        assertThat(key.find()).isTrue();
        TestOrigin.write(
                out,
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Accept: "
                        + WebSocketHandshake.accept(key.group(1)) + "\r\n\r\n");
        in.transferTo(out);
        TestOrigin.write(out, "bye");
    }

    private static TestOrigin echoing() throws IOException {
        return new TestOrigin((head, in, out) -> {
            echo(head, in, out);
            return false;
        });
    }

    /** Agrees as HTTP/2 does; the fields of requests are kept. */
    private static FrameOrigin echoingInFrames(byte[] settings, List<Map<String, String>> requests) throws IOException {
        return new FrameOrigin(
                settings,
                peer -> {
                    while (true) {
                        Frame f = peer.next();
                        if (f.type() == FrameClient.HEADERS) {
                            requests.add(peer.fields(f));
                            peer.frame(FrameClient.HEADERS, 4, f.stream(), FrameClient.block(":status: 200", "x-y: 2"));
                        } else if (f.type() == FrameClient.DATA) {
                            peer.frame(FrameClient.DATA, 0, f.stream(), f.payload());
                            if (f.ends()) {
                                peer.data(f.stream(), true, "bye");
                            }
                        }
                    }
                },
                (begun, socket) -> old(begun, socket, requests));
    }

    private static void old(String begun, Socket socket, List<Map<String, String>> requests) throws IOException {
        StringBuilder head = new StringBuilder(begun);
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        requests.add(Map.of("http/1", head.toString()));
        echo(head.toString(), socket.getInputStream(), socket.getOutputStream());
    }

    @Test
    void aClientOfHttp2ReachesAnOriginOfHttp1() throws Exception {
        try (TestOrigin origin = echoing();
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            assertThat(client.next(FrameClient.SETTINGS).settings()).containsEntry(8, 1);
            connect(client, 1, "sec-websocket-key: not-mine");
            client.data(1, false, "before the answer;");
            Map<String, String> head = client.fields(client.next(FrameClient.HEADERS));
            assertThat(head)
                    .containsEntry(":status", "200")
                    .containsEntry("sec-websocket-protocol", "chat")
                    .doesNotContainKeys("upgrade", "connection", "sec-websocket-accept");
            assertThat(text(client.next(FrameClient.DATA))).isEqualTo("before the answer;");
            client.data(1, false, "one");
            assertThat(text(client.next(FrameClient.DATA))).isEqualTo("one");
            client.data(1, true, "two");
            StringBuilder rest = new StringBuilder();
            Frame f = client.next(FrameClient.DATA);
            while (!f.ends()) {
                rest.append(text(f));
                f = client.next(FrameClient.DATA);
            }
            assertThat(rest.append(text(f))).hasToString("twobye");
            assertThat(origin.heads.getFirst())
                    .startsWith("GET /chat?room=1 HTTP/1.1\r\nHost: example.com\r\n")
                    .containsIgnoringCase("upgrade: websocket\r\n")
                    .contains("sec-websocket-version: 13\r\n")
                    .doesNotContain("not-mine");
            assertThat(proxy.value(EngineStats.TUNNELS, "upgrade")).isOne();
            Await.until("the tunnel is over", () -> proxy.value(EngineStats.TUNNELS_OPEN) == 0);
        }
    }

    private static String text(Frame f) {
        return new String(f.payload(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void bothSidesSpeakHttp2() throws Exception {
        List<Map<String, String>> requests = new CopyOnWriteArrayList<>();
        try (FrameOrigin origin = echoingInFrames(OFFERED, requests);
                TestProxy proxy = over(origin.port()).start();
                FrameClient client = new FrameClient(proxy.port())) {
            connect(client, 1);
            assertThat(client.fields(client.next(FrameClient.HEADERS)))
                    .containsEntry(":status", "200")
                    .containsEntry("x-y", "2");
            client.data(1, false, "one");
            assertThat(text(client.next(FrameClient.DATA))).isEqualTo("one");
            client.data(1, true, "");
            StringBuilder rest = new StringBuilder();
            Frame f = client.next(FrameClient.DATA);
            while (!f.ends()) {
                rest.append(text(f));
                f = client.next(FrameClient.DATA);
            }
            assertThat(rest.append(text(f))).hasToString("bye");
            assertThat(requests).hasSize(1);
            assertThat(requests.getFirst())
                    .containsEntry(":method", "CONNECT")
                    .containsEntry(":protocol", "websocket")
                    .containsEntry(":scheme", "http")
                    .containsEntry(":path", "/chat?room=1")
                    .containsEntry(":authority", "example.com")
                    .doesNotContainKeys("sec-websocket-key", "upgrade", "connection");
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS)).isOne();
        }
    }

    private static void converse(RawClient client) throws IOException {
        client.get("/chat", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: " + KEY);
        assertThat(client.head())
                .startsWith("HTTP/1.1 101 ")
                .containsIgnoringCase("\r\nUpgrade: websocket\r\n")
                .containsIgnoringCase("\r\nSec-WebSocket-Accept: " + ACCEPT + "\r\n");
        client.send("hello");
        assertThat(new String(client.in.readNBytes(5), StandardCharsets.ISO_8859_1))
                .isEqualTo("hello");
        client.socket.shutdownOutput();
        assertThat(new String(client.in.readAllBytes(), StandardCharsets.ISO_8859_1))
                .isEqualTo("bye");
    }

    @Test
    void aClientOfHttp1ReachesAnOriginOfHttp2ThatOffersIt() throws Exception {
        List<Map<String, String>> requests = new CopyOnWriteArrayList<>();
        try (FrameOrigin origin = echoingInFrames(OFFERED, requests);
                TestProxy proxy = over(origin.port()).start()) {
            for (int i = 1; i <= 2; i++) {
                try (RawClient client = new RawClient(proxy.port())) {
                    converse(client);
                }
                assertThat(requests).hasSize(i);
                assertThat(requests.getLast()).containsEntry(":protocol", "websocket");
            }
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS)).isOne();
        }
    }

    @Test
    void whereTheOriginDoesNotOfferItAConnectionOfHttp1IsMade() throws Exception {
        List<Map<String, String>> requests = new CopyOnWriteArrayList<>();
        try (FrameOrigin origin = echoingInFrames(FrameClient.NOTHING, requests);
                TestProxy proxy = over(origin.port()).start()) {
            for (int i = 1; i <= 2; i++) {
                try (RawClient client = new RawClient(proxy.port())) {
                    converse(client);
                }
                assertThat(requests).hasSize(i);
                assertThat(requests.getLast()).containsKey("http/1");
            }
            assertThat(proxy.value(Http2Stats.ORIGIN_CONNECTIONS))
                    .as("it was asked once")
                    .isOne();
            assertThat(proxy.value(Http2Stats.ORIGIN_STREAMS)).isZero();
        }
    }

    @Test
    void itPassesTwoProxiesThatSpeakHttp2() throws Exception {
        try (TestOrigin origin = echoing();
                TestProxy between = TestProxy.reversing(origin.port(), "via-pseudonym=between")
                        .listener("port=0", "http2=only")
                        .start();
                TestProxy proxy = over(between.port()).start();
                RawClient old = new RawClient(proxy.port());
                FrameClient client = new FrameClient(proxy.port())) {
            converse(old);
            connect(client, 1);
            assertThat(client.fields(client.next(FrameClient.HEADERS))).containsEntry(":status", "200");
            client.data(1, false, "one");
            assertThat(text(client.next(FrameClient.DATA))).isEqualTo("one");
            client.frame(FrameClient.RST_STREAM, 0, 1, FrameClient.number(8));
            Await.until("all tunnels are over", () -> between.value(EngineStats.TUNNELS_OPEN) == 0);
            assertThat(between.value(EngineStats.TUNNELS, "upgrade")).isEqualTo(2);
        }
    }

    @Test
    void whatIsNoSuccessIsNotToldAsOne() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("GET /chat?room=1&no")) {
                        TestOrigin.write(out, "HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno");
                    } else if (head.contains("x-how: ignore")) {
                        TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
                    } else {
                        TestOrigin.write(
                                out,
                                "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                                        + "Sec-WebSocket-Accept: " + ACCEPT + "\r\n\r\n");
                    }
                    return true;
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.path=/local",
                                "routes.0.respond.status=200",
                                "routes.0.respond.body=fine",
                                "routes.1.path=/",
                                "routes.1.origins.0=http://127.0.0.1:" + origin.port())
                        .start();
                FrameClient client = new FrameClient(proxy.port())) {
            String[] paths = {"/chat?room=1&no", "/ignored", "/wrong-key", "/local"};
            String[] statuses = {"403", "502", "502", "501"};
            for (int i = 0; i < paths.length; i++) {
                client.request(
                        2 * i + 1,
                        false,
                        ":method: CONNECT",
                        ":protocol: websocket",
                        ":scheme: http",
                        ":authority: a",
                        ":path: " + paths[i],
                        i == 1 ? "x-how: ignore" : "x-how: as asked");
                assertThat(client.answer(2 * i + 1).status()).as(paths[i]).isEqualTo(statuses[i]);
            }
            assertThat(proxy.value(EngineStats.TUNNELS, "upgrade")).isZero();
        }
    }
}
