package io.weir.kernel.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** At the connection limit, the connection that has waited longest for its client is closed for a new one. */
class ConnectionEvictionTest {
    private static final int MOST = 16;

    private final SteppedClock clock = new SteppedClock(0);
    private final List<LineClient> strangers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (LineClient each : strangers) {
            each.close();
        }
    }

    private TestKernel kernel() throws BindFailure {
        return TestKernel.makingRoom(clock, "max-connections=" + MOST, "socket-readers=2");
    }

    private void silent(TestKernel k, int many) throws Exception {
        for (int i = 0; i < many; i++) {
            int known = k.awaited();
            strangers.add(k.client());
            Await.until("it is waited for", () -> k.awaited() == known + 1);
        }
    }

    private static void held(TestKernel k, List<LineClient> into, int many) throws Exception {
        for (int i = 0; i < many; i++) {
            int known = k.echo.held();
            LineClient client = k.client();
            into.add(client);
            client.send("hold " + i);
            Await.until("it is handled", () -> k.echo.held() == known + 1);
        }
    }

    @Test
    void whoSaysNothingGoesForWhoAsksAtOnce() throws Exception {
        try (TestKernel k = kernel()) {
            silent(k, MOST);
            for (int i = 0; i < 2 * MOST; i++) {
                try (LineClient quick = k.client()) {
                    assertThat(quick.ask("who asks " + i)).isEqualTo("who asks " + i);
                }
            }
            assertThat(k.stats.value(KernelStats.EVICTED)).isPositive();
            assertThat(k.stats.value(KernelStats.OVERFLOWED)).isZero();
            assertThat(strangers.getFirst().end()).as("the oldest").isEqualTo("reset");
        }
    }

    @Test
    void ofTheAddressThatHoldsTheMostOneGoes() throws Exception {
        try (TestKernel k = TestKernel.makingRoom(clock, "max-connections=" + MOST, "socket-readers=1")) {
            silent(k, 1);
            for (int i = 1; i < MOST; i++) {
                int known = k.awaited();
                strangers.add(LineClient.from("127.0.0.2", k.listener.address()));
                Await.until("it is waited for", () -> k.awaited() == known + 1);
            }
            for (int i = 1; i < 2 * MOST; i++) {
                try (LineClient quick = LineClient.from("127.0.0.3", k.listener.address())) {
                    assertThat(quick.ask("who asks " + i)).isEqualTo("who asks " + i);
                }
                LineClient more = LineClient.from("127.0.0.2", k.listener.address());
                strangers.add(more);
                assertThat(more.ask("more " + i)).isEqualTo("more " + i);
            }
            assertThat(strangers.getFirst().ask("the oldest of all")).isEqualTo("the oldest of all");
            assertThat(strangers.get(1).end()).as("the oldest of its address").isEqualTo("reset");
        }
    }

    @Test
    void whatIsToldNamesWhatIsFullAndItsKnob() throws Exception {
        try (TestKernel k = kernel()) {
            silent(k, MOST);
            k.kernel.muxers().get(0).eventLoop().submit(k.kernel::second).sync();
            assertThat(k.kernel.pressure().step()).isEqualTo(Pressure.STEPS);
            try (LineClient quick = k.client()) {
                assertThat(quick.ask("who asks")).isEqualTo("who asks");
            }
            assertThat(k.log.entries().stream().filter(e -> e.message() == KernelMessages.MAKING_ROOM))
                    .singleElement()
                    .satisfies(e -> assertThat(e.arguments()).containsExactly("echo", MOST));
            assertThat(KernelMessages.MAKING_ROOM.declaration().remedy()).contains("admin.max-connections");
            assertThat(k.log.count(KernelMessages.PRESSURE)).isZero();
        }
    }

    /** More at once than there are places, while the muxer does something else: each has asked before it is looked at. */
    @Test
    void whoHasAskedIsReadBeforeAnybodyTakesItsPlace() throws Exception {
        List<LineClient> asking = new ArrayList<>();
        CountDownLatch pause = new CountDownLatch(1);
        try (TestKernel k = TestKernel.makingRoom(clock, "max-connections=" + MOST, "socket-readers=1")) {
            silent(k, MOST);
            Muxer muxer = k.kernel.muxers().get(0);
            // the last one can be waited for before it is counted as taken
            Await.until("all are taken", () -> muxer.arriving() == 0);
            muxer.eventLoop().execute(() -> waitFor(pause));
            for (int i = 0; i < 3 * MOST; i++) {
                LineClient client = k.client();
                asking.add(client);
                client.send("who asks " + i);
            }
            Await.until("all have been accepted", () -> muxer.arriving() == 3 * MOST);
            pause.countDown();
            for (int i = 0; i < asking.size(); i++) {
                assertThat(asking.get(i).receive()).startsWith("who asks " + i);
            }
        } finally {
            pause.countDown();
            for (LineClient each : asking) {
                each.close();
            }
        }
    }

    private static void waitFor(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aFewHaveASecondToSaySomething() throws Exception {
        try (TestKernel k = kernel()) {
            held(k, strangers, MOST - 2);
            silent(k, 2);
            try (LineClient late = k.client()) {
                assertThat(late.end()).as("nobody's time is over").isNotEmpty();
            }
            assertThat(k.stats.value(KernelStats.OVERFLOWED)).isOne();
            clock.step(Duration.ofSeconds(1));
            try (LineClient later = k.client()) {
                assertThat(later.ask("later")).isEqualTo("later");
            }
            assertThat(k.stats.value(KernelStats.EVICTED)).isOne();
        }
    }

    @Test
    void whoIsWorkedForIsNotGivenUp() throws Exception {
        try (TestKernel k = kernel()) {
            held(k, strangers, MOST);
            clock.step(Duration.ofSeconds(10));
            try (LineClient late = k.client()) {
                assertThat(late.end()).isNotEmpty();
            }
            assertThat(k.stats.value(KernelStats.OVERFLOWED)).isOne();
            assertThat(k.stats.value(KernelStats.EVICTED)).isZero();
            for (LineClient each : strangers) {
                k.echo.release();
                assertThat(each.receive()).startsWith("hold");
            }
        }
    }
}
