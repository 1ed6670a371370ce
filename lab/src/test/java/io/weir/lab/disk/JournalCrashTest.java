package io.weir.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.journal.Journal;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalStats;
import io.weir.journal.settings.WritePolicy;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations, power lost at any of them: everything completed is there, nothing half, in order. */
@Tag("slow")
class JournalCrashTest {
    @ParameterizedTest
    @EnumSource(names = {"DIRECT_WRITE", "CACHE_FLUSH"})
    void whatWasCompletedSurvivesPowerLossAtEveryOperation(WritePolicy policy) throws Exception {
        long operations = total(policy);
        assertThat(operations).isGreaterThan(50);
        for (long at = 1; at <= operations; at++) {
            crashOnce(policy, 42, at);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DIRECT_WRITE", "CACHE_FLUSH"})
    void whatWasCompletedSurvivesManyLossesInARow(WritePolicy policy) {
        long moved = 0;
        long givenBack = 0;
        for (long seed = 1; seed <= 60; seed++) {
            SimulatedRun run = many(policy, seed);
            moved += run.stats.value(JournalStats.RELOCATED, "sim");
            givenBack += run.stats.value(JournalStats.GIVEN_BACK, "sim");
        }
        assertThat(moved).as("compaction was at work").isGreaterThan(500);
        assertThat(givenBack).isGreaterThan(100);
    }

    @Test
    @Tag("nightly")
    void whatWasCompletedSurvivesThousandsOfRuns() {
        for (long seed = 1_000; seed < 4_000; seed++) {
            many(WritePolicy.DIRECT_WRITE, seed);
            many(WritePolicy.CACHE_FLUSH, seed);
        }
    }

    @Test
    void whatWasCompletedSurvivesTheProcessWithoutAnyForce() {
        for (long seed = 1; seed <= 30; seed++) {
            try {
                killed(seed);
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void theLedgerNoticesAJournalThatPromisesWithoutForcing() {
        int noticed = 0;
        for (long seed = 1; seed <= 10; seed++) {
            try {
                many(WritePolicy.DISABLED, seed);
            } catch (AssertionError e) {
                noticed++;
            }
        }
        assertThat(noticed).as("runs in which power loss showed").isGreaterThan(5);
    }

    private static long total(WritePolicy policy) throws Exception {
        SimulatedRun run = new SimulatedRun(42, policy);
        QueuedTasks writer = new QueuedTasks();
        Journal j = run.open(writer);
        run.load(j, writer, 150);
        writer.direct();
        j.close();
        return run.disk.operations();
    }

    private static void crashOnce(WritePolicy policy, long seed, long at) throws Exception {
        try {
            SimulatedRun run = new SimulatedRun(seed, policy);
            run.disk.losePowerAfter(at);
            epoch(run, 150);
            run.disk = run.disk.afterPowerLoss();
            epoch(run, 20);
        } catch (Throwable e) {
            throw new AssertionError(policy + ", seed " + seed + ", power lost at " + at + ": " + e.getMessage(), e);
        }
    }

    private static SimulatedRun many(WritePolicy policy, long seed) {
        try {
            SimulatedRun run = new SimulatedRun(seed, policy);
            for (int i = 0; i < 8; i++) {
                run.disk.writeShort(run.random.nextBoolean());
                run.disk.losePowerAfter(1 + run.random.nextInt(120));
                epoch(run, 100);
                run.disk = run.disk.afterPowerLoss();
            }
            epoch(run, 10);
            return run;
        } catch (Throwable e) {
            throw new AssertionError(policy + ", seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private static void killed(long seed) throws Exception {
        SimulatedRun run = new SimulatedRun(seed, WritePolicy.DISABLED);
        for (int i = 0; i < 5; i++) {
            run.disk.losePowerAfter(1 + run.random.nextInt(120));
            epoch(run, 100);
            run.disk = run.disk.afterKill();
        }
        epoch(run, 10);
    }

    /** Opens, works until the power goes or the load ends, closes. */
    private static void epoch(SimulatedRun run, int groups) throws JournalFault {
        QueuedTasks writer = new QueuedTasks();
        Journal j;
        try {
            j = run.open(writer);
        } catch (IOException e) {
            assertThat(run.disk.lostPower()).as("could not open: " + e).isTrue();
            return;
        }
        run.load(j, writer, groups);
        writer.direct();
        j.close();
    }
}
