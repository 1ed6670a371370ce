package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The leader of the log stands still on a machine whose processors are busy: another is elected, with time-outs that follow the
 * load and with those that do not; before that, none is elected without a cause. The figures are printed, not asserted: they
 * are docs/cluster.md's. {@code -Dweir.busy=N} for other than 70 busy processes, {@code -Dweir.times=N} for other than 4
 * elections.
 */
@Tag("slow")
@Tag("nightly")
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusyElectionsTest {
    private static final int BUSY = Integer.getInteger("weir.busy", 70);
    private static final int TIMES = Integer.getInteger("weir.times", 4);
    /** Busy processes end by themselves after this, whatever becomes of the test. */
    private static final int LONGEST_SECONDS = 180;

    private static final long BEFORE_SECONDS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder = Path.of("");

    @Test
    void aLeaderThatStandsStillIsReplacedWhileTheProcessorsAreBusy() throws Exception {
        elections("follow the load", "0s");
        elections("follow nothing", "1s");
    }

    private void elections(String how, String longest) throws Exception {
        Times times = new Times();
        long uncalled = 0;
        Path own = Files.createDirectories(folder.resolve(longest));
        String cluster =
                "  lease: {time-to-live: 9s}\n  log: {election-time-out: 500ms, longest-election-time-out: %s}\n"
                        .formatted(longest);
        try (Fleet fleet = new Fleet(own, cluster, "")) {
            fleet.startAll();
            for (int i = 0; i < TIMES; i++) {
                String other = fleet.other(leader(fleet));
                List<Process> busy = busy();
                try {
                    long term = term(fleet, other);
                    long begun = SystemClock.INSTANCE.nanos();
                    fleet.await(
                            "some time under load",
                            () -> SystemClock.INSTANCE.nanos() - begun > TimeUnit.SECONDS.toNanos(BEFORE_SECONDS));
                    String leader = leader(fleet);
                    uncalled += term(fleet, leader) - term;
                    times.add(stopped(fleet, leader, fleet.other(leader)));
                } finally {
                    busy.forEach(Process::destroy);
                }
            }
        }
        System.out.println("leaders that stood still under " + BUSY + " busy processes, time-outs that " + how
                + ", until another led: " + times + "; terms that began without a cause in " + TIMES * BEFORE_SECONDS
                + " s before: " + uncalled);
        assertThat(times.count()).isEqualTo(TIMES);
    }

    private static List<Process> busy() throws IOException {
        List<Process> busy = new ArrayList<>();
        for (int n = 0; n < BUSY; n++) {
            busy.add(new ProcessBuilder("timeout", String.valueOf(LONGEST_SECONDS), "sh", "-c", "while :; do :; done")
                    .start());
        }
        return busy;
    }

    private static long term(Fleet fleet, String seenBy) throws Exception {
        return Long.parseLong(fleet.fact(seenBy, "term"));
    }

    private static long stopped(Fleet fleet, String leader, String other) throws Exception {
        long stopped = SystemClock.INSTANCE.nanos();
        fleet.signal(leader, "STOP");
        try {
            assertThat(Await.within(PATIENCE, () -> {
                        String now = fleet.fact(other, "leader");
                        return !now.isEmpty() && !now.equals(leader);
                    }))
                    .as("another leads")
                    .isTrue();
            return SystemClock.INSTANCE.nanos() - stopped;
        } finally {
            fleet.signal(leader, "CONT");
        }
    }

    /** Whom all call their leader. */
    private static String leader(Fleet fleet) throws Exception {
        String[] found = {""};
        fleet.await("all have one leader", () -> {
            found[0] = fleet.fact(Fleet.NAMES.getFirst(), "leader");
            for (String name : Fleet.NAMES) {
                if (found[0].isEmpty() || !fleet.fact(name, "leader").equals(found[0])) {
                    return false;
                }
            }
            return true;
        });
        return found[0];
    }
}
