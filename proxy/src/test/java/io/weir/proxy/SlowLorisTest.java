package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.StatSpec;
import io.weir.base.SystemClock;
import io.weir.kernel.settings.KernelStats;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients that hold what they can for as long as they can, each in its way: each way is ended by a time-out or a rate and
 * counted there, while a client on the same muxer goes on being answered.
 */
@ExtendWith(LeakCheck.class)
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class SlowLorisTest {
    private static final int OF_A_KIND = 10;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    /** What {@link #start} gives a client for its next request. */
    private static final long WAITED = TimeUnit.MILLISECONDS.toNanos(400);

    private static final String POST = "POST /up HTTP/1.1\r\nHost: a\r\n";

    /** How it begins, and what it sends again and again, a byte at a time; nothing where it only waits. */
    private enum Loris {
        SILENT("", ""),
        HEAD("GET / HTTP/1.1\r\nX: ", "a"),
        REQUEST_LINE("G", "E"),
        FIELDS("GET / HTTP/1.1\r\n", "X: a\r\n"),
        HALF_A_HEAD("GET / HTTP/1.1\r\nHost: a", ""),
        NEXT_HEAD("GET /ok HTTP/1.1\r\nHost: a\r\n\r\nGET /o", "k"),
        BODY(POST + "Content-Length: 1000000\r\n\r\n", "a"),
        SILENT_BODY(POST + "Content-Length: 10\r\n\r\n", ""),
        CHUNK_SIZE(POST + "Transfer-Encoding: chunked\r\n\r\n5;a=", "b"),
        TINY_CHUNKS(POST + "Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
        TRAILERS(POST + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", "a"),
        KEPT("GET /ok HTTP/1.1\r\nHost: a\r\n\r\n", ""),
        EMPTY_TUNNEL("CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "");

        private final String begin;
        private final String again;

        Loris(String begin, String again) {
            this.begin = begin;
            this.again = again;
        }

        /** Where its end is counted. */
        StatSpec counted() {
            return switch (this) {
                case SILENT -> KernelStats.ACCEPT_TIMEOUTS;
                case HEAD, REQUEST_LINE, FIELDS, HALF_A_HEAD, NEXT_HEAD -> EngineStats.HEADER_TIMEOUTS;
                case BODY, TINY_CHUNKS -> EngineStats.BODY_RATE_TIMEOUTS;
                case SILENT_BODY, CHUNK_SIZE, TRAILERS -> EngineStats.BODY_TIMEOUTS;
                case KEPT -> KernelStats.KEEPALIVE_TIMEOUTS;
                case EMPTY_TUNNEL -> EngineStats.TUNNEL_TIMEOUTS;
            };
        }
    }

    private static TestProxy start(TestOrigin origin) throws Exception {
        return TestProxy.Made.of(
                        "routes.0.path=/ok",
                        "routes.0.respond.status=200",
                        "routes.0.respond.body=ok",
                        "routes.1.path=/",
                        "routes.1.origins.0=http://127.0.0.1:" + origin.port(),
                        "routes.2.connect.enabled=on",
                        "routes.2.connect.ports.0=" + origin.port(),
                        "time-outs.tunnel-idle=1s")
                .kernel(
                        "socket-readers=1",
                        "accept-time-out=400ms",
                        "keep-alive.timeout=400ms",
                        "time-outs.header=400ms",
                        "time-outs.body=400ms",
                        "time-outs.body-rate=10KiB")
                .start();
    }

    @Test
    void eachIsEndedAndCountedWhileOthersAreAnswered() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> in.read() >= 0 && in.readAllBytes().length < 0);
                TestProxy proxy = start(origin)) {
            List<Thread> attackers = new ArrayList<>();
            for (Loris loris : Loris.values()) {
                for (int i = 0; i < OF_A_KIND; i++) {
                    attackers.add(Thread.ofVirtual().start(() -> hold(proxy.port(), loris, origin.port())));
                }
            }
            int answered = 0;
            while (attackers.stream().anyMatch(Thread::isAlive)) {
                answered += good(proxy.port());
            }
            assertThat(answered).isPositive();
            // a busy machine may keep one from its next byte for so long that another time-out ends it
            Set<StatSpec> counters =
                    EnumSet.allOf(Loris.class).stream().map(Loris::counted).collect(Collectors.toSet());
            Await.until(
                    "each is counted",
                    () -> counters.stream().mapToLong(proxy::value).sum() >= attackers.size());
            for (StatSpec counter : counters) {
                assertThat(proxy.value(counter)).as(counter.name()).isPositive();
            }
            Await.until("nothing is held", () -> proxy.kernel.connections() == 0);
            assertThat(proxy.value(EngineStats.TUNNELS_OPEN)).isZero();
        }
    }

    /** A client that does as it should, some requests on one connection; how many it could ask. */
    private static int good(int port) throws IOException {
        int answered = 0;
        // the server's time for a request began after the one before it was sent
        long earlier = SystemClock.INSTANCE.nanos();
        long now = earlier;
        try (RawClient client = new RawClient(port)) {
            for (; answered < 20; answered++) {
                client.get("/ok");
                assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("ok");
                earlier = now;
                now = SystemClock.INSTANCE.nanos();
            }
        } catch (IOException e) {
            // a busy machine may keep it from its next request for longer than the server waits for one
            if (SystemClock.INSTANCE.nanos() - earlier < WAITED) {
                throw e;
            }
        }
        return answered;
    }

    private static void hold(int port, Loris loris, int origin) {
        try (RawClient client = new RawClient(port)) {
            client.send(loris.begin.replace("PORT", Integer.toString(origin)));
            for (int i = 0; !loris.again.isEmpty(); i++) {
                LockSupport.parkNanos(PAUSE);
                client.send(loris.again.substring(i % loris.again.length(), i % loris.again.length() + 1));
            }
            client.rest();
        } catch (IOException e) {
            // cut off, as it should be
        }
    }

    @Test
    void whoEndsItsSideInAHeadIsAnsweredAndClosed() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on").start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET / HTTP/1.1\r\nHost: a");
            client.socket.shutdownOutput();
            assertThat(client.rest()).startsWith("HTTP/1.1 400 ");
            Await.until("closed", () -> proxy.kernel.connections() == 0);
        }
    }

    @Test
    void whoReadsNothingIsResetInTime() throws Exception {
        String large = "HTTP/1.1 200 OK\r\nContent-Length: 40000000\r\nCache-Control: no-store\r\n\r\n"
                + "x".repeat(40_000_000);
        try (TestOrigin origin = TestOrigin.always(large);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "time-outs.write=400ms")
                        .start();
                RawClient client = RawClient.narrow(proxy.port())) {
            client.get("/");
            Await.until("reset", () -> proxy.value(KernelStats.WRITE_TIMEOUTS) == 1);
            Await.until("closed", () -> proxy.kernel.connections() == 0);
        }
    }
}
