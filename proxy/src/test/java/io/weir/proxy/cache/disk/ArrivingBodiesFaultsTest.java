package io.weir.proxy.cache.disk;

import static io.weir.proxy.cache.disk.TestAnswers.LARGE;
import static io.weir.proxy.cache.disk.TestAnswers.PIECE;
import static io.weir.proxy.cache.disk.TestAnswers.SMALL;
import static io.weir.proxy.cache.disk.TestAnswers.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.TestAnswers.Answer;
import io.weir.proxy.cache.disk.TestAnswers.Client;
import io.weir.proxy.cache.disk.TestAnswers.Request;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Disks, origins and processes that fail while a body too large for memory arrives. */
class ArrivingBodiesFaultsTest {
    @Test
    void whatFailsOnItsWayIsNotKept() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            try (Answer answer = new Answer(tier, "/a", LARGE)) {
                answer.send(TestTier.body("/a", 1, LARGE), 0, LARGE / 2);
                answer.fill.abort(new FillFailure(502, "the origin failed"));
                answer.await(answer.first);
                assertThat(answer.first.last).isEqualTo(Signal.FAILED);
            }
            TestTier.await("its file is removed", () -> folder.bodies() == 0);
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.count(DiskStats.FILE_BYTES)).isZero();
            assertThat(tier.count(DiskStats.ARRIVED, "aborted")).isEqualTo(1);
            store(tier, "/a", LARGE, true);
        }
    }

    @Test
    void aDiskThatFailsMeanwhileCostsNoClientItsAnswer() throws IOException {
        for (boolean late : new boolean[] {true, false}) {
            SimulatedFolder folder = new SimulatedFolder();
            folder.cached = true;
            try (TestTier tier = new TestTier(folder, SMALL);
                    Answer answer = new Answer(tier, "/a", LARGE)) {
                byte[] body = TestTier.body("/a", 1, LARGE);
                Client slow = answer.join(new Request());
                slow.may = late ? 1 : Long.MAX_VALUE;
                answer.send(body, 0, LARGE / 2);
                folder.failsWrites = true;
                // from now on the origin waits for who lags behind
                slow.may = Long.MAX_VALUE;
                slow.pump();
                answer.send(body, LARGE / 2, LARGE / 2 + 2 * PIECE);
                TestTier.await("it is not stored any more", () -> {
                    answer.loop.run();
                    return answer.fill.state() == Fill.State.PASSING;
                });
                answer.send(body, LARGE / 2 + 2 * PIECE, LARGE);
                answer.end();
                answer.await(answer.first);
                answer.await(slow);
                assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
                assertThat(slow.bytes.toByteArray()).isEqualTo(body);
                assertThat(answer.fill.passReason()).isEqualTo("disk");
                slow.cursor().close();
            }
        }
    }

    @Test
    void aDiskThatHangsIsLeft() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        folder.cached = true;
        try (TestTier tier = new TestTier(folder, SMALL);
                Answer answer = new Answer(tier, "/a", LARGE)) {
            byte[] body = TestTier.body("/a", 1, LARGE);
            answer.send(body, 0, LARGE / 3);
            assertThat(answer.fill.awaitsDisk()).isEqualTo(-1);
            CountDownLatch hangs = new CountDownLatch(1);
            folder.slowWrites = hangs;
            int at = LARGE / 3;
            while (!answer.paused) {
                answer.send(body, at, at + PIECE);
                at += PIECE;
            }
            long taken = answer.fill.awaitsDisk();
            assertThat(taken).isPositive();
            answer.fill.leaveDisk(taken - 1);
            assertThat(answer.fill.state()).isEqualTo(Fill.State.STORING);
            answer.fill.leaveDisk(taken);
            assertThat(answer.fill.state()).isEqualTo(Fill.State.PASSING);
            answer.send(body, at, LARGE);
            answer.end();
            answer.await(answer.first);
            assertThat(answer.first.bytes.toByteArray()).isEqualTo(body);
            hangs.countDown();
            answer.leave();
            TestTier.await("its file is removed", () -> folder.bodies() == 0);
        }
    }

    @Test
    void aDiskThatCanBeWrittenAgainIsUsedAgain() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        SteppedClock clock = new SteppedClock(1_800_000_000_000L);
        try (TestTier tier = new TestTier(folder, clock, SMALL)) {
            folder.failsWrites = true;
            tier.put("/small", TestTier.body("/small", 1, 1000));
            tier.settle();
            assertThat(tier.count(DiskStats.FAILING)).isEqualTo(1);
            folder.failsWrites = false;
            TestTier.await("it is tried, without anything small to be written", () -> {
                clock.step(Duration.ofSeconds(1));
                return tier.count(DiskStats.FAILING) == 0;
            });
            store(tier, "/a", LARGE, true);
        }
    }

    @Test
    void aFlippedBitCostsItselfAlone() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, SMALL)) {
            store(tier, "/a", LARGE, true);
            byte[] small = TestTier.body("/small", 1, 1000);
            tier.put("/small", small);
            tier.settle();
            tier.forget();
            folder.flipBody(LARGE / 2);
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.get("/a")).isNull();
            assertThat(tier.count(DiskStats.ERRORS, "checksum")).isEqualTo(1);
            assertThat(tier.count(DiskStats.DROPPED)).isZero();
            assertThat(tier.get("/small")).isEqualTo(small);
            assertThat(tier.count(DiskStats.BODIES_DROPPED)).isEqualTo(1);
            TestTier.await("its file is removed at once", () -> folder.bodies() == 0);
        }
        try (TestTier tier = new TestTier(folder, SMALL)) {
            assertThat(tier.get("/a")).as("not found again by a start").isNull();
            assertThat(tier.get("/small")).isNotNull();
        }
    }

    @Test
    void killedAtAnyMomentNothingIsWrong() throws IOException {
        RandomGenerator chance = Chance.seeded(15).random();
        int found = 0;
        for (int round = 0; round < 40; round++) {
            SimulatedFolder folder = new SimulatedFolder();
            try (TestTier tier = new TestTier(folder, SMALL)) {
                store(tier, "/first", 2_000_000, true);
                folder.killAfter(chance.nextInt(1, 5_000_000));
                for (int i = 0; i < 3 && !folder.dead(); i++) {
                    try (Answer answer = new Answer(tier, "/" + i, -1)) {
                        int size = 1_500_000 + i;
                        answer.send(TestTier.body("/" + i, 1, size), 0, size);
                        answer.end();
                        answer.await(answer.first);
                        assertThat(answer.first.bytes.toByteArray()).isEqualTo(TestTier.body("/" + i, 1, size));
                    }
                }
                folder.kill();
            }
            SimulatedFolder after = round % 2 == 0 ? folder.afterKill() : folder.afterPowerFailure(chance);
            try (TestTier tier = new TestTier(after, SMALL)) {
                for (int i = 0; i < 3; i++) {
                    byte[] body = tier.get("/" + i);
                    if (body != null) {
                        assertThat(body).isEqualTo(TestTier.body("/" + i, 1, 1_500_000 + i));
                        found++;
                    }
                }
                byte[] first = tier.get("/first");
                if (round % 2 == 0) {
                    assertThat(first).isEqualTo(TestTier.body("/first", 1, 2_000_000));
                } else if (first != null) {
                    assertThat(first).isEqualTo(TestTier.body("/first", 1, 2_000_000));
                }
                assertThat(after.bodies()).isEqualTo((int) tier.count(DiskStats.FILES));
            }
        }
        assertThat(found).isGreaterThan(10);
    }
}
