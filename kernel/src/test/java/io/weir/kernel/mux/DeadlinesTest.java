package io.weir.kernel.mux;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.RecordingLog;
import io.weir.base.SteppedClock;
import io.weir.kernel.settings.KernelMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final long SECOND = 1_000_000_000L;

    /** Its time stands still unless stepped, and its thread is the test's. */
    private final EmbeddedChannel channel = new EmbeddedChannel();

    private final EventLoop loop = channel.eventLoop();
    private final SteppedClock clock = new SteppedClock(0);
    private final List<String> expired = new ArrayList<>();
    private final Deadlines deadlines = new Deadlines(loop, clock, Log.NONE);

    private Deadline named(String name) {
        return Deadline.of(() -> expired.add(name));
    }

    private void step(Duration by) {
        clock.step(by);
        deadlines.advance();
    }

    /** The loop's turns, until one takes no time of the clock. */
    private void turns() {
        long before;
        do {
            before = clock.nanos();
            deadlines.wake();
        } while (clock.nanos() != before);
    }

    @Test
    void expiresAfterItsTimeAndNeverBefore() {
        deadlines.arm(named("a"), SECOND);
        step(Duration.ofMillis(999));
        assertThat(expired).isEmpty();
        step(Duration.ofMillis(101));
        assertThat(expired).containsExactly("a");
        assertThat(deadlines.size()).isZero();
    }

    @Test
    void disarmedOnesDoNotExpire() {
        Deadline a = named("a");
        deadlines.arm(a, SECOND);
        deadlines.disarm(a);
        deadlines.disarm(a);
        step(Duration.ofSeconds(5));
        assertThat(expired).isEmpty();
        assertThat(a.armed()).isFalse();
    }

    @Test
    void reArmingLaterAndEarlierBothHold() {
        Deadline later = named("later");
        deadlines.arm(later, SECOND);
        deadlines.arm(later, 10 * SECOND);
        Deadline earlier = named("earlier");
        deadlines.arm(earlier, 10 * SECOND);
        deadlines.arm(earlier, SECOND);
        step(Duration.ofSeconds(2));
        assertThat(expired).containsExactly("earlier");
        step(Duration.ofSeconds(9));
        assertThat(expired).containsExactly("earlier", "later");
    }

    @Test
    void timesBeyondTheWheelsTurnAndJumpsOfTheClockAreRight() {
        deadlines.arm(named("hour"), 3600 * SECOND);
        step(Duration.ofMinutes(59));
        assertThat(expired).isEmpty();
        for (int i = 0; i < 650; i++) {
            step(Duration.ofMillis(100));
        }
        assertThat(expired).containsExactly("hour");
    }

    @Test
    void actionMayArmItselfAndDisarmOthers() {
        Deadline victim = named("victim");
        Deadline[] repeated = new Deadline[1];
        repeated[0] = Deadline.of(() -> {
            expired.add("again");
            deadlines.disarm(victim);
            if (expired.size() < 3) {
                deadlines.arm(repeated[0], 0);
            }
        });
        deadlines.arm(repeated[0], SECOND);
        deadlines.arm(victim, SECOND);
        step(Duration.ofSeconds(2));
        step(Duration.ofSeconds(1));
        step(Duration.ofSeconds(1));
        assertThat(expired).containsExactly("again", "again", "again");
    }

    @Test
    void failingActionIsLoggedAndStopsNoOther() {
        RecordingLog log = new RecordingLog();
        Deadlines mine = new Deadlines(loop, clock, log);
        mine.arm(
                Deadline.of(() -> {
                    throw new IllegalStateException("asked to");
                }),
                SECOND);
        mine.arm(named("other"), SECOND);
        clock.step(Duration.ofSeconds(2));
        mine.advance();
        assertThat(expired).containsExactly("other");
        assertThat(log.count(KernelMessages.PROTOCOL_ERROR)).isOne();
    }

    /** The thread is slow: while it visits what is due, the next tick comes, and an action arms something. */
    @Test
    void tickThatPassesWhileActionsRunIsNotSkipped() {
        Deadline next = named("next");
        deadlines.arm(
                Deadline.of(() -> {
                    clock.step(Duration.ofMillis(250));
                    deadlines.arm(next, SECOND);
                }),
                SECOND);
        deadlines.arm(named("meanwhile"), SECOND + 2 * Deadlines.TICK_NANOS);
        clock.step(Duration.ofMillis(1100));
        // the loop's own timer, which is what skipped: it plans its next turn when the visit is over
        deadlines.wake();
        deadlines.wake();
        assertThat(expired).containsExactly("meanwhile");
        step(Duration.ofMillis(1100));
        assertThat(expired).containsExactly("meanwhile", "next");
    }

    @Test
    void errorInAnActionStopsNeitherTheWheelNorTheOthers() {
        channel.freezeTime();
        deadlines.arm(
                Deadline.of(() -> {
                    throw new LinkageError("asked to");
                }),
                SECOND);
        deadlines.arm(named("other"), SECOND);
        clock.step(Duration.ofSeconds(2));
        for (int turn = 0; turn < 2; turn++) {
            channel.advanceTimeBy(Deadlines.TICK_NANOS, TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
        }
        assertThat(expired).containsExactly("other");
    }

    @Test
    void agreesWithASimpleModelOverARandomHistory() {
        Chance chance = Chance.seeded(20_26);
        RandomGenerator random = chance.random();
        Deadline[] all = new Deadline[50];
        long[] due = new long[all.length];
        long[] firedAt = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            int n = i;
            due[i] = -1;
            all[i] = Deadline.of(() -> {
                firedAt[n] = clock.nanos();
                if (random.nextInt(8) == 0) {
                    clock.step(Duration.ofNanos(random.nextLong(SECOND / 4)));
                    int other = (n + 1) % all.length;
                    long delay = random.nextLong(120 * SECOND);
                    firedAt[other] = 0;
                    deadlines.arm(all[other], delay);
                    due[other] = clock.nanos() + delay;
                }
            });
        }
        for (int round = 0; round < 20_000; round++) {
            int i = random.nextInt(all.length);
            if (random.nextInt(4) == 0) {
                deadlines.disarm(all[i]);
                due[i] = -1;
            } else {
                long delay = random.nextLong(120 * SECOND);
                deadlines.arm(all[i], delay);
                due[i] = clock.nanos() + delay;
            }
            clock.step(Duration.ofNanos(random.nextLong(SECOND)));
            turns();
            for (int k = 0; k < all.length; k++) {
                if (firedAt[k] > 0) {
                    assertThat(due[k]).as("seed %s", chance.seed()).isBetween(0L, firedAt[k]);
                    due[k] = -1;
                    firedAt[k] = 0;
                }
                assertThat(due[k] >= 0 && clock.nanos() - due[k] > Deadlines.TICK_NANOS)
                        .as("seed %s: late", chance.seed())
                        .isFalse();
            }
        }
    }
}
