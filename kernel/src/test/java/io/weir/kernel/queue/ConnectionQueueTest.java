package io.weir.kernel.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.ConstraintsConfig;
import io.weir.kernel.work.RequestClassConfig;
import io.weir.kernel.work.WorkConfig;
import io.weir.kernel.work.WorkPlace;
import io.weir.kernel.work.WorkStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConnectionQueueTest {
    private final SteppedClock clock = new SteppedClock(0);

    private static ConnectionQueue queue(TestKernel k) {
        return k.kernel.connectionQueue();
    }

    /** A request is counted before it is queued; a task submitted to its muxer afterwards runs when it is queued. */
    private static void waits(TestKernel k, String what, int length) throws Exception {
        Await.until(what, () -> queue(k).length() == length);
        for (Muxer muxer : k.kernel.muxers().all()) {
            muxer.eventLoop().submit(() -> {}).sync();
        }
    }

    @Test
    void requestsAboveTheThrottleWaitAndTheirDelayIsAveragedOverAll() throws Exception {
        try (TestKernel k = new TestKernel(clock, Map.of(), "request-throttle=1", "connection-queue.capacity=1");
                LineClient a = k.client();
                LineClient b = k.client();
                LineClient c = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            b.send("b");
            waits(k, "b waits", 1);
            assertThat(c.ask("c")).isEqualTo("busy");
            assertThat(queue(k).overflows()).isOne();
            assertThat(queue(k).active()).isOne();

            clock.step(Duration.ofSeconds(2));
            k.echo.release();
            assertThat(a.receive()).isEqualTo("hold a");
            assertThat(b.receive()).isEqualTo("b");
            assertThat(queue(k).total()).isEqualTo(2);
            assertThat(queue(k).ticks()).isEqualTo(2 * ConnectionQueue.ticksPerSecond());
            assertThat(queue(k).averageDelayMillis()).isCloseTo(1000, within(0.01));
            assertThat(queue(k).length()).isZero();
            assertThat(queue(k).peak()).isOne();
            Await.until("nothing active", () -> queue(k).active() == 0);
            assertThat(queue(k).peakActive()).isOne();
        }
    }

    @Test
    void limitIsQueuePlusThreadsPlusKeepAlive() throws Exception {
        try (TestKernel k = new TestKernel(
                "request-throttle=5", "connection-queue.capacity=70", "keep-alive.max-connections=900")) {
            assertThat(queue(k).limit()).isEqualTo(975);
            assertThat(k.stats.value(KernelStats.QUEUE_LIMIT)).isEqualTo(975);
        }
    }

    @Test
    void hitsPassWithoutWaitingEvenWhenAllSlotsAreTaken() throws Exception {
        try (TestKernel k = new TestKernel("request-throttle=1", "connection-queue.capacity=0");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            assertThat(b.ask("hit 1")).isEqualTo("hit 1");
            assertThat(b.ask("miss")).isEqualTo("busy");
            assertThat(queue(k).total()).isEqualTo(2);
            assertThat(queue(k).ticks()).isZero();
            k.echo.release();
            a.receive();
        }
    }

    @Test
    void clientThatLeavesGivesItsPlaceBack() throws Exception {
        try (TestKernel k = new TestKernel("request-throttle=1", "connection-queue.capacity=1");
                LineClient a = k.client();
                LineClient c = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            LineClient b = k.client();
            b.send("b");
            waits(k, "b waits", 1);
            b.close();
            Await.until("b left", () -> k.kernel.connections() == 2);
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(queue(k).length()).isZero();
            assertThat(k.stats.value(KernelStats.QUEUE_CANCELLED)).isOne();
            c.send("c");
            waits(k, "c waits in b's place", 1);
            k.echo.release();
            assertThat(c.receive()).isEqualTo("c");
            assertThat(queue(k).overflows()).isZero();
        }
    }

    @Test
    void whoWaitsTooLongIsAnsweredBusyAndGivesItsPlaceBack() throws Exception {
        try (TestKernel k = new TestKernel(clock, Map.of(), "request-throttle=1", "connection-queue.time-out=5s");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            b.send("b");
            waits(k, "b waits", 1);
            clock.step(Duration.ofMillis(4999));
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(queue(k).length()).isOne();
            clock.step(Duration.ofMillis(1));
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(b.receive()).isEqualTo("busy");
            assertThat(queue(k).length()).isZero();
            assertThat(k.stats.value(KernelStats.QUEUE_TIMEOUTS)).isOne();
            assertThat(queue(k).ticks()).as("it waited, too").isEqualTo(5 * ConnectionQueue.ticksPerSecond());
            assertThat(queue(k).overflows()).isZero();
            k.echo.release();
            assertThat(a.receive()).isEqualTo("hold a");
            assertThat(b.ask("again")).isEqualTo("again");
        }
    }

    @Test
    void averagesFollowTheLengthSecondBySecond() throws Exception {
        try (TestKernel k = new TestKernel("request-throttle=1");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            b.send("b");
            waits(k, "b waits", 1);
            k.kernel
                    .muxers()
                    .get(0)
                    .eventLoop()
                    .submit(() -> {
                        for (int i = 0; i < 60; i++) {
                            queue(k).second();
                        }
                    })
                    .sync();
            // One minute at 1: 1 - 1/e of the one-minute average, a fifth and a fifteenth of that slope for the others.
            assertThat(queue(k).averageLength().oneMinute()).isCloseTo(0.63, within(0.03));
            assertThat(queue(k).averageLength().fiveMinutes()).isCloseTo(0.18, within(0.02));
            assertThat(queue(k).averageLength().fifteenMinutes()).isCloseTo(0.064, within(0.01));
            k.echo.release();
            assertThat(b.receive()).isEqualTo("b");
        }
    }

    /** Sixty clients of each class and one slot: half of all are started when it is counted. */
    @Test
    void waitingRequestsOfTwoClassesAreStartedFourToOne() throws Exception {
        WorkConfig classes = new WorkConfig(
                Map.of(
                        "gold", Configs.bind(RequestClassConfig.class, "fair-share=80"),
                        "bronze", Configs.bind(RequestClassConfig.class, "fair-share=20")),
                ConstraintsConfig.NONE);
        List<LineClient> clients = new ArrayList<>();
        try (TestKernel k = new TestKernel(clock, Map.of(), classes, "request-throttle=1", "socket-readers=1");
                LineClient first = k.client()) {
            k.echo.place(line -> line.startsWith("hold")
                    ? null
                    : new WorkPlace(k.kernel.workManager("default"), k.kernel.requestClass(line)));
            first.send("hold");
            Await.until("the slot is taken", () -> k.echo.held() == 1);
            for (int i = 0; i < 60; i++) {
                for (String name : List.of("bronze", "gold")) {
                    LineClient c = k.client();
                    clients.add(c);
                    c.send(name);
                }
            }
            waits(k, "all wait", 120);
            assertThat(k.stats.value(WorkStats.CLASS_WAITING, "gold")).isEqualTo(60);
            k.echo.release();
            Await.until("all are answered", () -> k.echo.started().size() == 121 && queue(k).active() == 0);
            long gold = k.echo.started().subList(1, 61).stream()
                    .filter("gold"::equals)
                    .count();
            assertThat(gold).isBetween(47L, 49L);
            assertThat(k.stats.value(WorkStats.CLASS_COMPLETED, "gold")).isEqualTo(60);
            assertThat(k.stats.value(WorkStats.CLASS_WAITING, "bronze")).isZero();
        } finally {
            for (LineClient c : clients) {
                c.close();
            }
        }
    }

    @Test
    void whoWaitsTooLongInAClassIsAnsweredBusyToo() throws Exception {
        WorkConfig classes =
                new WorkConfig(Map.of("gold", Configs.bind(RequestClassConfig.class)), ConstraintsConfig.NONE);
        try (TestKernel k =
                        new TestKernel(clock, Map.of(), classes, "request-throttle=1", "connection-queue.time-out=5s");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            b.send("b");
            waits(k, "b waits", 1);
            clock.step(Duration.ofSeconds(5));
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(b.receive()).isEqualTo("busy");
            assertThat(queue(k).length()).isZero();
            assertThat(k.stats.value(WorkStats.CLASS_WAITING, "work-manager:default"))
                    .isZero();
            k.echo.release();
            assertThat(a.receive()).isEqualTo("hold a");
        }
    }

    @Test
    void modeFollowsTheLoadAndBothChangesAreLogged() throws Exception {
        try (TestKernel k = new TestKernel("request-throttle=2");
                LineClient a = k.client();
                LineClient b = k.client();
                LineClient c = k.client()) {
            assertThat(queue(k).mode()).isEqualTo(Mode.LOW_LATENCY);
            assertThat(c.ask("direct")).isEqualTo("direct");
            assertThat(k.stats.value(WorkStats.DONE, "default")).isZero();
            a.send("hold a");
            b.send("hold b");
            Await.until("both are handled", () -> k.echo.held() == 2);
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(queue(k).mode()).isEqualTo(Mode.HIGH_CONCURRENCY);
            assertThat(k.log.count(KernelMessages.HIGH_CONCURRENCY)).isOne();

            c.send("passes the work manager");
            waits(k, "c waits", 1);
            k.echo.release();
            assertThat(c.receive()).isEqualTo("passes the work manager");
            Await.until("the work manager saw it", () -> k.stats.value(WorkStats.DONE, "default") == 1);
            assertThat(k.echo.startedOn()).allMatch(t -> t.contains("weir.socket.Muxer"));

            k.echo.release();
            Await.until("idle", () -> queue(k).active() == 0);
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(queue(k).mode()).isEqualTo(Mode.LOW_LATENCY);
            assertThat(k.log.count(KernelMessages.LOW_LATENCY)).isOne();
            assertThat(k.stats.value(KernelStats.MODE_CHANGES)).isEqualTo(2);
        }
    }

    @Test
    void modeCanBeFixed() throws Exception {
        try (TestKernel k = new TestKernel("mode=high-concurrency");
                LineClient a = k.client()) {
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(queue(k).mode()).isEqualTo(Mode.HIGH_CONCURRENCY);
            assertThat(a.ask("x")).isEqualTo("x");
            Await.until("the work manager saw it", () -> k.stats.value(WorkStats.DONE, "default") == 1);
            assertThat(a.ask("hit")).isEqualTo("hit");
            assertThat(k.stats.value(WorkStats.DONE, "default")).isOne();
        }
    }

    @Test
    void withoutPoolEverythingIsHandledOnTheMuxer() throws Exception {
        try (TestKernel k = new TestKernel(
                        clock,
                        Map.of("default", Configs.work("max-threads=0", "queue-capacity=0")),
                        "connection-queue.capacity=0",
                        "mode=high-concurrency");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            assertThat(b.ask("b")).isEqualTo("b");
            assertThat(queue(k).overflows()).isZero();
            assertThat(k.kernel.workManager("default").threads()).isZero();
            k.echo.release();
            assertThat(a.receive()).isEqualTo("hold a");
            Await.until("nothing active", () -> queue(k).active() == 0);
        }
    }

    @Test
    void aRaisedThrottleTakesEffectAtOnce() throws Exception {
        try (TestKernel k = new TestKernel("request-throttle=1");
                LineClient a = k.client();
                LineClient b = k.client()) {
            a.send("hold a");
            Await.until("a is handled", () -> k.echo.held() == 1);
            k.config.set(Configs.kernel("request-throttle=2"));
            assertThat(b.ask("b")).isEqualTo("b");
            k.echo.release();
        }
    }

    @Test
    void noRequestIsForgottenWhenManyMuxersShareFewSlots() throws Exception {
        try (TestKernel k = new TestKernel("socket-readers=3", "request-throttle=1", "connection-queue.capacity=100")) {
            AtomicInteger answered = new AtomicInteger();
            Thread[] clients = new Thread[6];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = Thread.ofPlatform().start(() -> answered.addAndGet(askMany(k)));
            }
            for (Thread t : clients) {
                t.join();
            }
            assertThat(answered.get()).isEqualTo(1800);
            assertThat(queue(k).total()).isEqualTo(1800);
            assertThat(queue(k).overflows()).isZero();
            assertThat(queue(k).peakActive()).isOne();
            Await.until("nothing active", () -> queue(k).active() == 0);
            assertThat(queue(k).length()).isZero();
        }
    }

    private static int askMany(TestKernel k) {
        int answered = 0;
        try (LineClient c = k.client()) {
            for (int n = 0; n < 300; n++) {
                if (c.ask("r" + n).equals("r" + n)) {
                    answered++;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answered;
    }

    @Test
    void fullWorkManagerMeansBusyInHighConcurrencyMode() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestKernel k = new TestKernel(
                        clock,
                        Map.of("default", Configs.work("max-threads=1", "queue-capacity=0")),
                        "mode=high-concurrency",
                        "request-throttle=5");
                LineClient a = k.client()) {
            k.kernel.muxers().get(0).eventLoop().submit(queue(k)::second).sync();
            assertThat(k.kernel.workManager("default").execute(() -> hang(gate)))
                    .isTrue();
            assertThat(a.ask("x")).isEqualTo("busy");
            assertThat(queue(k).overflows()).isOne();
            assertThat(queue(k).active()).isZero();
            assertThat(a.ask("hit")).isEqualTo("hit");
            gate.countDown();
        }
    }

    private static void hang(CountDownLatch gate) {
        try {
            assertThat(gate.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
