package io.weir.cluster.timer;

import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.state.timers.TimerState;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Applies the timers' misfire policies to missed firings, and counts them. Confined to the loop. */
final class Misfires {
    /** A firing later than this is a misfire; the same as Quartz's misfireThreshold. */
    static final Duration GRACE = Duration.ofMinutes(1);

    private final Stats stats;
    private final Log log;
    private final Counter made;
    private final Counter skipped;

    /**
     * A decision.
     *
     * @param fires if false, all firings up to that time are skipped
     */
    record Decision(Instant at, boolean fires) {}

    Misfires(Stats stats, Log log) {
        this.stats = stats;
        this.log = log;
        this.made = stats.counter(ClusterStats.MISFIRED, "fired");
        this.skipped = stats.counter(ClusterStats.MISFIRED, "skipped");
    }

    /** Decides for a timer with at least one due firing. */
    Decision decide(TimerState t, Schedule schedule, Instant now) {
        // one more than the limit, to detect that there are more
        List<Instant> due = schedule.due(Instant.ofEpochMilli(t.lastScheduled()), now, TimerSpec.MISSED + 1);
        Instant latest = due.getLast();
        boolean late = Duration.between(latest, now).compareTo(GRACE) > 0;
        return switch (t.spec().misfire()) {
            case FIRE_ONCE -> fire(t, latest, now, due.size() - 1);
            case SKIP -> late ? skip(t, latest, due.size()) : fire(t, latest, now, due.size() - 1);
            case FIRE_ALL ->
                due.size() > TimerSpec.MISSED ? fire(t, due.get(1), now, 1) : fire(t, due.getFirst(), now, 0);
        };
    }

    private Decision fire(TimerState t, Instant at, Instant now, int left) {
        if (Duration.between(at, now).compareTo(GRACE) > 0) {
            made.inc();
        }
        if (left > 0) {
            skip(t, at, left);
        }
        return new Decision(at, true);
    }

    private Decision skip(TimerState t, Instant through, int count) {
        skipped.add(count);
        log.log(TimerMessages.SKIPPED, t.id(), count, through, t.spec().misfire());
        return new Decision(through, false);
    }

    /** Shows a timer's counters. */
    void known(String id) {
        stats.counter(ClusterStats.FIRED, id);
        stats.counter(ClusterStats.FIRE_FAILED, id);
    }

    /** Counts a firing whose listener has returned. */
    void fired(String id, boolean well) {
        stats.counter(ClusterStats.FIRED, id).inc();
        if (!well) {
            stats.counter(ClusterStats.FIRE_FAILED, id).inc();
        }
    }

    static String cut(String text) {
        return text.length() <= StateLimits.REASON ? text : text.substring(0, StateLimits.REASON);
    }
}
