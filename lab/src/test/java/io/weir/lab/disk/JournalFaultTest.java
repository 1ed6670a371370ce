package io.weir.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.journal.Journal;
import io.weir.journal.Payload;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalStats;
import io.weir.journal.settings.WritePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk that fails while it lives: nothing unsafe is acknowledged, and the journal goes on when it can. */
@Tag("slow")
class JournalFaultTest {
    private static final int DYING = 400;

    private final QueuedTasks writer = new QueuedTasks();

    @ParameterizedTest
    @EnumSource(names = {"DIRECT_WRITE", "CACHE_FLUSH"})
    void aFailedWriteIsRefusedAndNeverAppearsAndTheNextOneIsTaken(WritePolicy policy) throws Exception {
        for (long seed = 1; seed <= 40; seed++) {
            failOnce(seed, policy);
        }
    }

    private static void failOnce(long seed, WritePolicy policy) throws Exception {
        SimulatedRun run = new SimulatedRun(seed, policy);
        QueuedTasks writer = new QueuedTasks();
        Journal j = run.open(writer);
        run.load(j, writer, 20);
        int before = run.promises.refused;
        fail(run);
        run.submit(j);
        run.promises.submit(j, List.of(new byte[100]), List.of());
        writer.run();
        assertThat(run.promises.refused).isGreaterThan(before);
        assertThat(run.stats.value(JournalStats.FAILED_WRITES, "sim")).isEqualTo(1);
        assertThat(reason(j)).isEqualTo(JournalFault.Reason.IO_ERROR);
        run.clock.step(Duration.ofSeconds(2));
        int completed = run.promises.completed;
        run.promises.submit(j, List.of(new byte[200]), List.of());
        writer.run();
        assertThat(run.promises.completed).isEqualTo(completed + 1);
        assertThat(j.suspended()).isNull();
        run.promises.wentOn();
        run.disk = run.disk.afterPowerLoss();
        run.open(new QueuedTasks());
    }

    /**
     * A removal whose force failed may be on the disk after all, and the copy that the next write made of what it removes, too:
     * what a start takes for removed then stays removed.
     */
    @Test
    void whatAStartFoundRemovedStaysRemoved() throws Exception {
        int found = 0;
        for (long seed = 1; seed <= DYING; seed++) {
            SimulatedRun run = new SimulatedRun(seed, WritePolicy.CACHE_FLUSH);
            QueuedTasks writer = new QueuedTasks();
            Journal j = run.open(writer);
            for (int i = 0; i < 8; i++) {
                add(run, j, writer, 300);
            }
            long gone = run.promises.removable().get(5);
            run.disk.failForces(1);
            run.disk.losePowerAfter(6 + run.random.nextInt(3));
            run.promises.submit(j, List.of(), List.of(gone));
            writer.run();
            writer = die(run, j, writer);
            j = run.open(writer);
            found += run.promises.removable().contains(gone) ? 0 : 1;
            run.disk.losePowerAfter(1 + run.random.nextInt(16));
            run.open(die(run, j, writer));
        }
        assertThat(found).as("removals that were refused and had happened").isGreaterThan(DYING / 10);
    }

    private static void add(SimulatedRun run, Journal j, QueuedTasks writer, int bytes) {
        run.promises.submit(j, List.of(new byte[bytes]), List.of());
        writer.run();
    }

    /** Goes on until the power is lost. */
    private static QueuedTasks die(SimulatedRun run, Journal j, QueuedTasks writer) {
        while (!run.disk.lostPower()) {
            add(run, j, writer, 10);
            run.clock.step(Duration.ofSeconds(2));
        }
        run.disk = run.disk.afterPowerLoss();
        return new QueuedTasks();
    }

    private static JournalFault.@Nullable Reason reason(Journal j) {
        JournalFault fault = j.suspended();
        return fault == null ? null : fault.reason();
    }

    private static void fail(SimulatedRun run) {
        if (run.policy == WritePolicy.CACHE_FLUSH) {
            run.disk.failForces(1);
        } else {
            run.disk.failWrites(1);
        }
    }

    @Test
    void whileItIsSuspendedAdditionsAreRefusedAtOnceWithTheReason() throws Exception {
        SimulatedRun run = new SimulatedRun(8, WritePolicy.CACHE_FLUSH);
        Journal j = run.open(writer);
        run.load(j, writer, 5);
        run.disk.failForces(100);
        List<String> faults = new ArrayList<>();
        j.append(1, Payload.of(new byte[10]), f -> faults.add(String.valueOf(f)));
        writer.run();
        j.append(1, Payload.of(new byte[10]), f -> faults.add(String.valueOf(f)));
        assertThat(faults).hasSize(2).allMatch(f -> f.contains("simulated force error"));
        assertThat(run.stats.value(JournalStats.REFUSED, "sim", "IO_ERROR")).isEqualTo(2);
        assertThat(run.stats.value(JournalStats.SUSPENDED, "sim")).isEqualTo(1);
    }

    @Test
    void randomFaultsNeverBreakAPromise() {
        for (long seed = 1; seed <= 60; seed++) {
            try {
                WritePolicy policy = seed % 2 == 0 ? WritePolicy.DIRECT_WRITE : WritePolicy.CACHE_FLUSH;
                SimulatedRun run = new SimulatedRun(seed, policy);
                for (int i = 0; i < 6; i++) {
                    faulty(run);
                    run.disk = run.disk.afterPowerLoss();
                }
                faulty(run);
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void faulty(SimulatedRun run) throws Exception {
        QueuedTasks writer = new QueuedTasks();
        Journal j = run.open(writer);
        run.disk.writeShort(run.random.nextBoolean());
        for (int i = 0; i < 12; i++) {
            int kind = run.random.nextInt(4);
            if (kind == 0) {
                run.disk.failWrites(1 + run.random.nextInt(3));
            } else if (kind == 1) {
                run.disk.failForces(1 + run.random.nextInt(3));
            } else if (kind == 2) {
                run.disk.capacity(run.disk.used() + run.random.nextInt(50_000));
            } else {
                run.disk.capacity(Long.MAX_VALUE);
            }
            run.load(j, writer, 10);
            run.clock.step(Duration.ofSeconds(run.random.nextInt(3)));
        }
        if (run.random.nextBoolean()) {
            run.disk.losePowerAfter(1 + run.random.nextInt(20));
            run.load(j, writer, 10);
        }
    }

    @Test
    void aFullDiskRefusesAdditionsButTakesRemovalsAndRecoversWhenTheyMadeRoom() throws Exception {
        SimulatedRun run = new SimulatedRun(9, WritePolicy.DIRECT_WRITE);
        Journal j = run.open(writer);
        run.promises.submit(j, List.of(new byte[1000]), List.of());
        writer.run();
        run.disk.capacity(run.disk.used() + 100_000);
        fill(run, j);
        assertThat(reason(j)).isEqualTo(JournalFault.Reason.DISK_FULL);
        assertThat(j.suspended()).hasMessageContaining("No space left");
        int completed = run.promises.completed;
        List<Long> all = run.promises.removable();
        for (long id : all) {
            run.promises.submit(j, List.of(), List.of(id));
            writer.run();
        }
        assertThat(run.promises.completed)
                .as("removals are taken on a full disk")
                .isEqualTo(completed + all.size());
        assertThat(j.liveEntries()).isZero();
        run.clock.step(Duration.ofSeconds(2));
        completed = run.promises.completed;
        for (int i = 0; i < 40; i++) {
            run.promises.submit(j, List.of(new byte[1000]), List.of());
            writer.run();
        }
        assertThat(run.promises.completed).as("room again").isEqualTo(completed + 40);
        assertThat(j.suspended()).isNull();
        run.promises.wentOn();
        run.disk = run.disk.afterPowerLoss();
        run.open(new QueuedTasks());
    }

    @Test
    void aStartOnAFullDiskTakesRemovalsUntilThereIsRoom() throws Exception {
        SimulatedRun run = new SimulatedRun(10, WritePolicy.DIRECT_WRITE);
        Journal j = run.open(writer);
        for (int i = 0; i < 150; i++) {
            run.promises.submit(j, List.of(new byte[1000]), List.of());
            writer.run();
        }
        run.disk = run.disk.afterKill();
        QueuedTasks after = new QueuedTasks();
        run.disk.capacity(0);
        Journal again = run.open(after);
        run.disk.capacity(run.disk.used() + 30_000);
        int refused = run.promises.refused;
        run.promises.submit(again, List.of(new byte[1000]), List.of());
        after.run();
        assertThat(run.promises.refused).isEqualTo(refused + 1);
        int completed = run.promises.completed;
        run.promises.submit(again, List.of(), run.promises.removable());
        after.run();
        assertThat(run.promises.completed).isEqualTo(completed + 1);
        run.disk.capacity(400_000);
        run.clock.step(Duration.ofSeconds(2));
        run.promises.submit(again, List.of(new byte[1000]), List.of());
        after.run();
        assertThat(run.promises.completed).isEqualTo(completed + 2);
        run.promises.wentOn();
        run.disk = run.disk.afterPowerLoss();
        run.open(new QueuedTasks());
    }

    private void fill(SimulatedRun run, Journal j) {
        for (int i = 0; i < 1000 && j.suspended() == null; i++) {
            run.promises.submit(j, List.of(new byte[1000]), List.of());
            writer.run();
        }
    }

    @Test
    void fullAgainAndAgainItStaysWithinTheDisk() {
        for (long seed = 1; seed <= 20; seed++) {
            try {
                SimulatedRun run = new SimulatedRun(seed, WritePolicy.DIRECT_WRITE);
                QueuedTasks tasks = new QueuedTasks();
                run.disk.capacity(400_000);
                Journal j = run.open(tasks);
                run.load(j, tasks, 2000);
                assertThat(run.promises.completed).isGreaterThan(300);
                run.disk.capacity(Long.MAX_VALUE);
                run.disk = run.disk.afterPowerLoss();
                run.open(new QueuedTasks());
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
