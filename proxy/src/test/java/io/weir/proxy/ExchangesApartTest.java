package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Exchanges are reused on one muxer while clients leave, origins answer before a body is there, cut their answers or close
 * what is to be reused: every byte bears its request's own mark, and nobody may see another's.
 */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class ExchangesApartTest {
    private static final int WORKERS = 3;
    private static final int ROUNDS = 60;
    private static final int KINDS = 8;
    private static final int STREAMS = 6;
    private static final int LARGE = 100_000;
    private static final int BODY = 30_000;
    private static final Pattern MARK = Pattern.compile("/k(\\d)/[a-z]\\d+-\\d+;");

    private final Queue<String> mixed = new ConcurrentLinkedQueue<>();
    private final ConcurrentMap<String, CompletableFuture<Boolean>> leaving = new ConcurrentHashMap<>();
    private final AtomicInteger whole = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();

    private static String text(String path, int size) {
        return path.repeat(size / path.length() + 1);
    }

    /** Notes what bears another mark than that of its request. */
    private void check(String where, String path, String seen) {
        Matcher m = MARK.matcher(seen);
        while (m.find()) {
            if (!m.group().equals(path)) {
                mixed.add(where + " of " + path + " has " + m.group());
                return;
            }
        }
    }

    // ---- the origin

    private boolean serve(String head, InputStream in, OutputStream out) throws IOException {
        Matcher m = MARK.matcher(head);
        if (!m.find()) {
            mixed.add("a request without a mark: " + head);
            return false;
        }
        String path = m.group();
        check("request", path, head);
        int turn = asked.incrementAndGet();
        String start = "HTTP/1.1 200 OK\r\nX-Mark: " + path + "\r\n";
        switch (m.group(1)) {
            case "1" -> {
                // what is to be reused is closed now and then, so that the request is sent again
                if (turn % 3 == 0) {
                    return false;
                }
                body(start, text(path, 900), out);
            }
            case "2" -> {
                TestOrigin.write(out, start + "Transfer-Encoding: chunked\r\n\r\n");
                for (int i = 0; i < 3; i++) {
                    String piece = text(path, 300);
                    TestOrigin.write(out, Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
                }
                TestOrigin.write(out, "0\r\nX-Last: " + path + "\r\n\r\n");
            }
            case "3" -> {
                // cut
                TestOrigin.write(out, start + "Content-Length: 5000\r\n\r\n" + text(path, 700));
                return false;
            }
            case "4" -> body(start, text(path, LARGE), out);
            case "7" -> {
                // goes on when its client has gone
                TestOrigin.write(out, start + "Content-Length: " + LARGE + "\r\n\r\n" + text(path, 2000));
                left(path).join();
                for (int i = 0; i < 30; i++) {
                    TestOrigin.write(out, text(path, 500));
                }
                return false;
            }
            case "5" -> {
                // before the body is there
                body(start, text(path, 200), out);
                upload(path, head, in);
            }
            case "6" -> {
                upload(path, head, in);
                body(start, text(path, 200), out);
            }
            default -> body(start, text(path, 100), out);
        }
        return true;
    }

    private CompletableFuture<Boolean> left(String path) {
        return leaving.computeIfAbsent(path, _ -> new CompletableFuture<>());
    }

    private static void body(String start, String text, OutputStream out) throws IOException {
        TestOrigin.write(out, start + "Content-Length: " + text.length() + "\r\n\r\n" + text);
    }

    private void upload(String path, String head, InputStream in) throws IOException {
        if (head.toLowerCase(Locale.ROOT).contains("content-length: ")) {
            check("upload", path, new String(in.readNBytes(text(path, BODY).length()), StandardCharsets.ISO_8859_1));
        }
    }

    // ---- HTTP/1

    private void http1(int port, int worker) throws IOException {
        RawClient client = new RawClient(port);
        for (int i = 0; i < ROUNDS; i++) {
            int kind = (i * 5 + worker) % KINDS;
            String path = "/k" + kind + "/a" + worker + "-" + i + ";";
            try {
                boolean stays = http1(client, kind, path);
                if (!stays) {
                    client.close();
                    client = new RawClient(port);
                }
            } catch (IOException e) {
                // cut, as this kind of request is
                client.close();
                client = new RawClient(port);
            }
        }
        client.close();
    }

    private boolean http1(RawClient client, int kind, String path) throws IOException {
        boolean uploads = kind == 5 || kind == 6;
        String body = uploads ? text(path, BODY) : "";
        String length = uploads ? "Content-Length: " + body.length() + "\r\n" : "";
        String head = (uploads ? "POST " : "GET ") + path + " HTTP/1.1\r\nHost: a\r\nX-Ask: " + path + "\r\n" + length;
        client.send(head + "\r\n" + body.substring(0, body.length() / 2));
        if (kind == 7) {
            check("head", path, client.head());
            check("piece", path, client.bytes(1000));
            client.reset();
            left(path).complete(true);
            return false;
        }
        if (kind != 5) {
            client.send(body.substring(body.length() / 2));
        }
        String answer = client.answer();
        check("answer", path, answer);
        if (answer.startsWith("HTTP/1.1 200")) {
            if (!answer.contains(path)) {
                mixed.add("an answer without a mark: " + answer);
            }
            whole.incrementAndGet();
        }
        if (kind == 5) {
            client.send(body.substring(body.length() / 2));
        }
        return !answer.toLowerCase(Locale.ROOT).contains("connection: close");
    }

    // ---- HTTP/2

    private void http2(int port, int worker) throws IOException {
        try (FrameClient client = new FrameClient(port)) {
            client.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(1 << 30));
            int stream = 1;
            for (int i = 0; i < ROUNDS / STREAMS; i++) {
                Map<Integer, String> open = new HashMap<>();
                for (int s = 0; s < STREAMS; s++, stream += 2) {
                    open.put(stream, ask(client, stream, i * STREAMS + s, worker));
                }
                while (!open.isEmpty()) {
                    frame(client, client.next(), open);
                }
            }
        }
    }

    private static String ask(FrameClient client, int stream, int i, int worker) throws IOException {
        int kind = (i * 5 + worker) % KINDS;
        String path = "/k" + kind + "/b" + worker + "-" + i + ";";
        boolean uploads = kind == 5 || kind == 6;
        if (!uploads) {
            client.get(stream, path, "x-ask: " + path);
            return path;
        }
        String body = text(path, BODY);
        client.request(
                stream, false, FrameClient.lines("POST", path, "x-ask: " + path, "content-length: " + body.length()));
        client.data(stream, false, body.substring(0, 15_000));
        client.data(stream, true, body.substring(15_000));
        return path;
    }

    private void frame(FrameClient client, FrameClient.Frame f, Map<Integer, String> open) throws IOException {
        // what comes for a stream that was reset is decoded all the same
        @Nullable Map<String, String> fields = f.type() == FrameClient.HEADERS ? client.fields(f) : null;
        if (f.type() == FrameClient.GOAWAY) {
            throw new IOException("the connection ended with error " + f.error());
        }
        String path = open.get(f.stream());
        if (path == null) {
            return;
        }
        if (fields != null) {
            check("head", path, fields.toString());
        } else if (f.type() == FrameClient.DATA) {
            check("data", path, new String(f.payload(), StandardCharsets.ISO_8859_1));
            if (path.startsWith("/k4") || path.startsWith("/k7")) {
                client.frame(FrameClient.RST_STREAM, 0, f.stream(), FrameClient.number(8));
                left(path).complete(true);
                open.remove(f.stream());
                return;
            }
        }
        if (f.ends()) {
            whole.incrementAndGet();
        }
        if (f.ends() || f.type() == FrameClient.RST_STREAM) {
            open.remove(f.stream());
        }
    }

    private interface Work {
        void run(int port, int worker) throws IOException;
    }

    private void all(TestProxy proxy, Work work) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            int worker = w;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    work.run(proxy.port(), worker);
                } catch (IOException e) {
                    mixed.add("worker " + worker + " failed: " + e);
                }
            }));
        }
        for (Thread t : threads) {
            t.join();
        }
        assertThat(mixed).isEmpty();
        assertThat(whole.get()).isGreaterThan(WORKERS * ROUNDS / 3);
    }

    @Test
    void ofHttp1() throws Exception {
        try (TestOrigin origin = new TestOrigin(this::serve);
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            all(proxy, this::http1);
        }
    }

    @Test
    void ofHttp2ToOriginsOfBothKinds() throws Exception {
        try (TestOrigin origin = new TestOrigin(this::serve);
                TestProxy between = TestProxy.reversing(origin.port(), "via-pseudonym=between")
                        .listener("port=0", "http2=only")
                        .start();
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.pool=p",
                                "origins.p.servers.0.url=http://127.0.0.1:" + between.port(),
                                "origins.p.http2=on")
                        .listener("port=0", "http2=only")
                        .start()) {
            all(proxy, this::http2);
        }
    }
}
