package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.listen.BindFailure;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields behind a body: those of a list, and to whom they mean something (RFC 9110 sections 6.5 and 10.1.4). */
@ExtendWith(LeakCheck.class)
class TrailersTest {
    private static final String SENT = String.join(
            "\r\n",
            "Content-Digest: d",
            "grpc-status: 0",
            "Grpc-Details-Bin: b",
            "X-User: root",
            "Set-Cookie: a=b",
            "X_Forwarded_For: 9.9.9.9",
            "Cache-Control: max-age=9",
            "Grpc_Status: 1",
            "");
    private static final List<String> PASS = List.of("content-digest: d", "grpc-status: 0", "grpc-details-bin: b");

    private static final int DROPPED = 5;

    private final List<String> got = new CopyOnWriteArrayList<>();

    private TestOrigin origin(String cacheControl) throws IOException {
        return new TestOrigin((head, in, out) -> {
            if (head.toLowerCase(java.util.Locale.ROOT).contains("transfer-encoding: chunked")) {
                got.addAll(trailers(in));
            }
            TestOrigin.write(
                    out,
                    "HTTP/1.1 200 OK\r\nCache-Control: " + cacheControl
                            + "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n" + SENT + "\r\n");
            return true;
        });
    }

    /** Reads a chunked body; what stands behind it, in lower case. */
    private static List<String> trailers(InputStream in) throws IOException {
        int size = Integer.parseInt(line(in), 16);
        while (size > 0) {
            in.readNBytes(size + 2);
            size = Integer.parseInt(line(in), 16);
        }
        List<String> lines = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            lines.add(line.toLowerCase(java.util.Locale.ROOT));
        }
        return lines;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n' && b >= 0; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    private static TestProxy proxy(int port, boolean http2, String... more) throws BindFailure {
        List<String> lines = new ArrayList<>(List.of(
                "routes.0.pool=p",
                "origins.p.servers.0.url=http://127.0.0.1:" + port,
                "origins.p.http2=" + (http2 ? "on" : "off")));
        lines.addAll(List.of(more));
        return TestProxy.Made.of(lines.toArray(String[]::new)).start();
    }

    private static TestProxy between(TestOrigin origin) throws BindFailure {
        return TestProxy.reversing(
                        origin.port(),
                        "via-pseudonym=between",
                        "trailers.0=*",
                        "trailers.1=content-digest",
                        "trailers.2=set-cookie",
                        "trailers.3=cache-control",
                        "trailers.4=x_forwarded_for")
                .listener("port=0", "http2=only")
                .start();
    }

    private static List<String> read(RawClient client) throws IOException {
        assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        return trailers(client.in);
    }

    @ParameterizedTest
    @CsvSource({"false, no-store", "false, max-age=60", "true, no-store", "true, max-age=60"})
    void anAnswersGoToWhoAsksForThem(boolean http2, String cacheControl) throws Exception {
        try (TestOrigin origin = origin(cacheControl);
                TestProxy between = between(origin);
                TestProxy proxy = proxy(http2 ? between.port() : origin.port(), http2);
                RawClient client = new RawClient(proxy.port());
                FrameClient frames = new FrameClient(proxy.port())) {
            client.get("/1", "TE: gzip;q=0.5, Trailers", "Connection: TE");
            assertThat(read(client)).containsExactlyInAnyOrderElementsOf(PASS);
            assertThat(proxy.value(EngineStats.TRAILERS_DROPPED, "unlisted")).isEqualTo(DROPPED);
            assertThat(read(client.get("/2"))).isEmpty();
            assertThat(frames.get(1, "/3", "te: trailers").answer(1).trailers())
                    .containsOnlyKeys("content-digest", "grpc-status", "grpc-details-bin");
            FrameClient.Answer unasked = frames.get(3, "/4").answer(3);
            assertThat(unasked.text()).isEqualTo("hello");
            assertThat(unasked.trailers()).isEmpty();
            // between asks for what its own client asks
            assertThat(proxy.value(EngineStats.TRAILERS_DROPPED, "unasked")
                            + between.value(EngineStats.TRAILERS_DROPPED, "unasked"))
                    .isEqualTo(16);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestsAreThoseOfTheList(boolean http2) throws Exception {
        try (TestOrigin origin = origin("no-store");
                TestProxy between = between(origin);
                TestProxy proxy = proxy(http2 ? between.port() : origin.port(), http2);
                RawClient client = new RawClient(proxy.port());
                FrameClient frames = new FrameClient(proxy.port())) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n" + SENT
                    + "\r\n");
            assertThat(read(client)).isEmpty();
            assertThat(got).containsExactlyInAnyOrderElementsOf(PASS);
            got.clear();
            frames.request(1, false, FrameClient.lines("POST", "/b")).data(1, false, "hello");
            frames.frame(
                    FrameClient.HEADERS,
                    FrameClient.END_HEADERS | FrameClient.END_STREAM,
                    1,
                    FrameClient.block(
                            SENT.toLowerCase(java.util.Locale.ROOT).strip().split("\r\n", -1)));
            assertThat(frames.answer(1).trailers()).isEmpty();
            assertThat(got).containsExactlyInAnyOrderElementsOf(PASS);
            assertThat(proxy.value(EngineStats.TRAILERS_DROPPED, "unlisted")).isEqualTo(2 * DROPPED);
        }
    }

    @Test
    void theListIsConfiguredLiveAndAStarStandsForWhatHttpDoesNotDefine() throws Exception {
        try (TestOrigin origin = origin("no-store");
                TestProxy proxy = proxy(origin.port(), false, "trailers.0=*");
                RawClient client = new RawClient(proxy.port())) {
            String all = "grpc-status: 0|grpc-details-bin: b|x-user: root|grpc_status: 1";
            assertThat(String.join("|", read(client.get("/a", "TE: trailers")))).isEqualTo(all);
            proxy.config.set(
                    TestProxy.Made.of("routes.0.origins.0=http://127.0.0.1:" + origin.port(), "trailers.0=Set-Cookie")
                            .config());
            assertThat(read(client.get("/a", "TE: trailers"))).containsExactly("set-cookie: a=b");
        }
    }
}
