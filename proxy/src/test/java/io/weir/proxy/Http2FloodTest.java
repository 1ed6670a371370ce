package io.weir.proxy;

import static io.weir.proxy.FrameClient.CALM;
import static io.weir.proxy.FrameClient.CONTINUATION;
import static io.weir.proxy.FrameClient.DATA;
import static io.weir.proxy.FrameClient.END_HEADERS;
import static io.weir.proxy.FrameClient.GOAWAY;
import static io.weir.proxy.FrameClient.HEADERS;
import static io.weir.proxy.FrameClient.NOTHING;
import static io.weir.proxy.FrameClient.PING;
import static io.weir.proxy.FrameClient.PRIORITY;
import static io.weir.proxy.FrameClient.RST_STREAM;
import static io.weir.proxy.FrameClient.SETTINGS;
import static io.weir.proxy.FrameClient.WINDOW_UPDATE;
import static io.weir.proxy.FrameClient.block;
import static io.weir.proxy.FrameClient.lines;
import static io.weir.proxy.FrameClient.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.http2.Flood;
import io.weir.proxy.http2.Http2Stats;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What costs its sender nothing: each kind is let through up to its bound, cut off and counted past it, while another
 * connection of the same muxer goes on.
 */
@ExtendWith(LeakCheck.class)
class Http2FloodTest {
    private static final int BOUND = 8;
    private static TestOrigin origin;
    private static TestProxy proxy;

    /** Sends the n-th of many. */
    private interface Step {
        void send(FrameClient client, int n) throws IOException;
    }

    @BeforeAll
    static void start() throws Exception {
        origin = new TestOrigin((head, in, out) -> {
            if (!head.startsWith("GET /never")) {
                TestOrigin.write(
                        out,
                        head.startsWith("GET /big")
                                ? "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000)
                                : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
            return true;
        });
        proxy = TestProxy.reversing(
                        origin.port(),
                        "http2.flood-window=1h",
                        "http2.header-list=4KiB",
                        "http2.resets=" + BOUND,
                        "http2.faults=" + BOUND,
                        "http2.pings=" + BOUND,
                        "http2.settings=" + BOUND,
                        "http2.priorities=" + BOUND,
                        "http2.empty-frames=" + BOUND,
                        "http2.window-updates=" + 2 * BOUND,
                        "http2.continuations=" + BOUND,
                        "http2.concurrent-streams=4")
                .kernel("socket-readers=1", "time-outs.header=300ms", "time-outs.write=1s")
                .start();
    }

    @AfterAll
    static void stop() throws Exception {
        proxy.close();
        origin.close();
    }

    /** The bound is let through; one more ends the connection with ENHANCE_YOUR_CALM, and this connection alone. */
    private static void cutOff(Flood why, int allowed, Step step) throws Exception {
        long before = proxy.value(Http2Stats.FLOODS, why.label());
        try (FrameClient other = new FrameClient(proxy.port());
                FrameClient client = new FrameClient(proxy.port())) {
            other.get(1, "/x").answer(1);
            for (int n = 0; n < allowed; n++) {
                step.send(client, n);
            }
            assertThat(other.get(3, "/x").answer(3).text()).isEqualTo("ok");
            assertThat(proxy.value(Http2Stats.FLOODS, why.label())).isEqualTo(before);
            step.send(client, allowed);
            assertThat(client.next(GOAWAY).error()).isEqualTo(CALM);
            assertThat(client.ended()).isTrue();
            assertThat(proxy.value(Http2Stats.FLOODS, why.label())).isEqualTo(before + 1);
            assertThat(other.get(5, "/x").answer(5).text()).isEqualTo("ok");
        }
    }

    private static int stream(int n) {
        return 2 * n + 1;
    }

    @Test
    void rapidReset() throws Exception {
        cutOff(
                Flood.RESETS,
                BOUND,
                (client, n) -> client.get(stream(n), "/never").frame(RST_STREAM, 0, stream(n), number(8)));
    }

    @Test
    void requestsThatMakeWeirReset() throws Exception {
        cutOff(
                Flood.FAULTS,
                BOUND,
                (client, n) -> client.get(stream(n), "/never").frame(WINDOW_UPDATE, 0, stream(n), number(0)));
    }

    @Test
    void headsThatDecompressToFarMoreThanTheyAre() throws Exception {
        // 30 references to one field of 200 bytes in the table: 6 KiB from 230 bytes
        byte[] bomb = new byte[block(lines("GET", "/")).length + 205 + 30];
        byte[] head = block(lines("GET", "/"));
        System.arraycopy(head, 0, bomb, 0, head.length);
        byte[] indexed = block("a: " + "b".repeat(200));
        indexed[0] = 0x40;
        System.arraycopy(indexed, 0, bomb, head.length, indexed.length);
        for (int i = head.length + indexed.length; i < bomb.length; i++) {
            bomb[i] = (byte) 0xbe;
        }
        cutOff(Flood.FAULTS, BOUND, (client, n) -> client.frame(HEADERS, END_HEADERS | 1, stream(n), bomb));
    }

    @Test
    void streamsBeyondTheirNumber() throws Exception {
        cutOff(Flood.FAULTS, 4 + BOUND, (client, n) -> {
            if (n == 0) {
                client.next(SETTINGS);
                client.frame(SETTINGS, 1, 0, NOTHING);
            }
            client.get(stream(n), "/never");
        });
        assertThat(proxy.value(Http2Stats.REFUSED)).isGreaterThanOrEqualTo(BOUND);
    }

    @Test
    void pings() throws Exception {
        cutOff(Flood.PINGS, BOUND, (client, n) -> client.frame(PING, 0, 0, new byte[8]));
    }

    @Test
    void settings() throws Exception {
        // the first ones belong to the preface
        cutOff(Flood.SETTINGS, BOUND - 1, (client, n) -> client.frame(SETTINGS, 0, 0, NOTHING));
    }

    @Test
    void priorities() throws Exception {
        cutOff(Flood.PRIORITIES, BOUND, (client, n) -> client.frame(PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 9}));
    }

    @Test
    void framesOfUnknownTypes() throws Exception {
        cutOff(Flood.PRIORITIES, BOUND, (client, n) -> client.frame(0x42, 0, 0, NOTHING));
    }

    @Test
    void dataWithoutContent() throws Exception {
        cutOff(Flood.EMPTY_FRAMES, BOUND, (client, n) -> {
            if (n == 0) {
                client.request(1, false, lines("POST", "/never"));
            }
            client.frame(DATA, 0, 1, NOTHING);
        });
    }

    @Test
    void windowsOpenedInCrumbs() throws Exception {
        cutOff(Flood.WINDOW_UPDATES, 2 * BOUND, (client, n) -> client.frame(WINDOW_UPDATE, 0, 0, number(1)));
    }

    @Test
    void continuationsWithoutEnd() throws Exception {
        cutOff(Flood.CONTINUATIONS, BOUND, (client, n) -> {
            if (n == 0) {
                client.frame(HEADERS, 0, 1, block(lines("GET", "/")));
            }
            client.frame(CONTINUATION, 0, 1, block("a: b"));
        });
    }

    @Test
    void aHeadThatGrowsBeyondItsBound() throws Exception {
        cutOff(Flood.HEADER_BYTES, 3, (client, n) -> {
            if (n == 0) {
                client.frame(HEADERS, 0, 1, block(lines("GET", "/")));
            }
            client.frame(CONTINUATION, 0, 1, block("a: " + "b".repeat(1100)));
        });
    }

    @Test
    void aHeadThatIsNeverFinished() throws Exception {
        long before = proxy.value(EngineStats.HEADER_TIMEOUTS);
        try (FrameClient client = new FrameClient(proxy.port())) {
            client.frame(HEADERS, 0, 1, block(lines("GET", "/")));
            assertThat(client.next(GOAWAY).error()).isEqualTo(CALM);
            assertThat(proxy.value(Http2Stats.FLOODS, Flood.SLOW_HEAD.label())).isEqualTo(1);
            assertThat(proxy.value(EngineStats.HEADER_TIMEOUTS)).isEqualTo(before + 1);
        }
    }

    @Test
    void aWindowThatIsNeverOpened() throws Exception {
        try (FrameClient client = FrameClient.bare(proxy.port());
                FrameClient other = new FrameClient(proxy.port())) {
            client.preface(FrameClient.setting(4, 0)).get(1, "/big");
            assertThat(client.fields(client.next(HEADERS))).containsEntry(":status", "200");
            assertThat(client.next(GOAWAY).error()).isEqualTo(CALM);
            assertThat(proxy.value(Http2Stats.FLOODS, Flood.STALLED.label())).isEqualTo(1);
            assertThat(proxy.value(Http2Stats.STALLED)).isGreaterThanOrEqualTo(1);
            assertThat(other.get(1, "/x").answer(1).text()).isEqualTo("ok");
        }
    }
}
