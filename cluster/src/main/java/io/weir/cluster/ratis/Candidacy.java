package io.weir.cluster.ratis;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Decides when this member becomes a candidate: if it hears no leader for the election time-out, randomized up to twice
 * that. The time-out is adaptive: as configured while this process is scheduled in time, and longer by a multiple of
 * its scheduling delay. Ratis starts an election after its own, maximum time-out in any case. This member becomes a
 * candidate only if a pre-vote shows that a majority would elect it, so that no leader is disturbed. Confined to its
 * thread, but for statistics and results of pre-votes; lives as long as its log.
 */
final class Candidacy {
    /** This member's role as a voter of the log. */
    interface Seat {
        /**
         * Nanoseconds since this follower heard its leader; -1 if it is not a follower, or is still processing a
         * message of the leader.
         */
        long silence();

        /** Runs a pre-vote among the other voters; at most one at a time. */
        CompletableFuture<Boolean> preVote();

        /** Starts an election; returns false if that is not possible now. */
        boolean stand();

        /**
         * Called periodically while there is a leader: contacts the other voters, so that connections exist when votes
         * are needed.
         */
        void greet();
    }

    /** Factor of the scheduling delay: a vote passes several threads in both directions, and each may be delayed. */
    private static final int LATE_TIMES = 4;

    private static final int CHECKS = 4;
    private static final long GREET_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final RatisTimes times;
    private final Seat seat;
    private final Clock clock;
    private final Chance chance;
    private final Log log;
    private final SchedulingDelay schedulingDelay = new SchedulingDelay();
    private final Counter stood;
    private final Counter refused;
    private final AtomicBoolean preVoting = new AtomicBoolean();
    private double draw;
    private @Nullable Long planned;
    private @Nullable Long lastPreVote;
    private @Nullable Long greeted;
    private long before = -1;
    private boolean longerLogged;

    Candidacy(RatisTimes times, Seat seat, Clock clock, Chance chance, Stats stats, Log log) {
        this.times = times;
        this.seat = seat;
        this.clock = clock;
        this.chance = chance;
        this.log = log;
        stood = stats.counter(ClusterStats.CANDIDACIES, "stood");
        refused = stats.counter(ClusterStats.CANDIDACIES, "refused");
        stats.gauge(ClusterStats.ELECTION_TIME_OUT, () -> TimeUnit.NANOSECONDS.toMillis(timeOut()));
        stats.gauge(ClusterStats.ELECTION_TIME_OUT_USUAL, () -> times.election().toMillis());
        stats.gauge(ClusterStats.STARVED, () -> TimeUnit.NANOSECONDS.toMillis(schedulingDelay.worst(clock.nanos())));
        draw = chance.random().nextDouble();
    }

    /** The effective election time-out in nanoseconds; this member waits up to twice as long. */
    long timeOut() {
        long usual = times.election().toNanos();
        if (!times.follows()) {
            return usual;
        }
        long late = schedulingDelay.worst(clock.nanos());
        // Delays below a tenth of the usual time-out are ignored.
        long wanted = late < usual / 10 ? usual : usual + LATE_TIMES * late;
        return Math.min(wanted, times.longest().toNanos() / 2);
    }

    /** Performs a check; returns the nanoseconds until the next one. */
    long check() {
        long now = clock.nanos();
        Long due = planned;
        // A failed check plans none, so that the pause after it is not counted as a scheduling delay.
        planned = null;
        if (due != null) {
            schedulingDelay.late(now, now - due);
        }
        long timeOut = timeOut();
        logChange(timeOut);
        long next = times.election().toNanos() / CHECKS;
        long silence = seat.silence();
        if (silence < 0 || silence < before) {
            draw = chance.random().nextDouble();
        }
        before = silence;
        if (silence >= 0) {
            greet(now, silence);
            long since = lastPreVote == null ? silence : Math.min(silence, now - lastPreVote);
            long left = timeOut + (long) (timeOut * draw) - since;
            if (left > 0) {
                next = Math.min(next, left);
            } else if (preVoting.compareAndSet(false, true)) {
                lastPreVote = now;
                draw = chance.random().nextDouble();
                preVote(timeOut);
            }
        }
        planned = now + next;
        return next;
    }

    private void greet(long now, long silence) {
        if (silence < times.election().toNanos() && (greeted == null || now - greeted >= GREET_NANOS)) {
            greeted = now;
            seat.greet();
        }
    }

    private void preVote(long timeOut) {
        CompletableFuture<Boolean> answer;
        try {
            answer = seat.preVote();
        } catch (RuntimeException e) {
            preVoting.set(false);
            throw e;
        }
        var _ = answer.whenComplete((granted, _) -> {
            try {
                // The leader may have been heard during the pre-vote.
                boolean stands = granted != null && granted && seat.silence() >= timeOut && seat.stand();
                (stands ? stood : refused).inc();
            } finally {
                preVoting.set(false);
            }
        });
    }

    private void logChange(long timeOut) {
        boolean longer = timeOut > times.election().toNanos();
        if (longer && !longerLogged) {
            log.log(
                    ClusterMessages.ELECTIONS_LONGER,
                    TimeUnit.NANOSECONDS.toMillis(schedulingDelay.worst(clock.nanos())),
                    TimeUnit.NANOSECONDS.toMillis(timeOut),
                    times.election().toMillis());
        } else if (!longer && longerLogged) {
            log.log(ClusterMessages.ELECTIONS_USUAL, times.election().toMillis());
        }
        longerLogged = longer;
    }
}
