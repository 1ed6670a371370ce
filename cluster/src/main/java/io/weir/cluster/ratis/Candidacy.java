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
 * When this member stands for leader: after it heard none for the time-out of elections, or by chance up to twice that. The
 * time-out follows the machine: it is as configured while this process gets processors in time, and longer by some times of
 * how late it gets them. The library stands by itself after its own, widest time-out, whatever happens here. It stands only
 * when a majority would elect it, so that no leader is disturbed. Confined to its thread, but for figures and what comes of a
 * question; lives as long as its log.
 */
final class Candidacy {
    /** This member among those that keep the log. */
    interface Seat {
        /** Nanoseconds since this follower heard its leader; -1 where it is no follower, or takes long over what it heard. */
        long silence();

        /** Asks the others whether they would elect it; at most once at a time. */
        CompletableFuture<Boolean> ask();

        /** Begins an election; false where it may not now. */
        boolean stand();

        /** Now and then, while there is a leader: the others are spoken to, so that they are not strangers when votes count. */
        void greet();
    }

    /** A vote goes there and back over several threads, and each may wait so long. */
    private static final int LATE_TIMES = 4;

    private static final int LOOKS = 4;
    private static final long GREET_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final RatisTimes times;
    private final Seat seat;
    private final Clock clock;
    private final Chance chance;
    private final Log log;
    private final Starvation starvation = new Starvation();
    private final Counter stood;
    private final Counter refused;
    private final AtomicBoolean asking = new AtomicBoolean();
    private double draw;
    private @Nullable Long planned;
    private @Nullable Long asked;
    private @Nullable Long greeted;
    private long before = -1;
    private boolean said;

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
        stats.gauge(ClusterStats.STARVED, () -> TimeUnit.NANOSECONDS.toMillis(starvation.worst(clock.nanos())));
        draw = chance.random().nextDouble();
    }

    /** The time-out of elections that is in force, in nanoseconds; this member waits up to twice as long. */
    long timeOut() {
        long usual = times.election().toNanos();
        if (!times.follows()) {
            return usual;
        }
        long late = starvation.worst(clock.nanos());
        // What is usual forgives a little by itself: it takes a tenth of it to be late at all.
        long wanted = late < usual / 10 ? usual : usual + LATE_TIMES * late;
        return Math.min(wanted, times.longest().toNanos() / 2);
    }

    /** Looks whether it is time; gives the nanoseconds until the next look. */
    long look() {
        long now = clock.nanos();
        Long due = planned;
        // A look that fails plans none: the pause after it is not this machine's.
        planned = null;
        if (due != null) {
            starvation.late(now, now - due);
        }
        long timeOut = timeOut();
        say(timeOut);
        long next = times.election().toNanos() / LOOKS;
        long silence = seat.silence();
        if (silence < 0 || silence < before) {
            draw = chance.random().nextDouble();
        }
        before = silence;
        if (silence >= 0) {
            greet(now, silence);
            long since = asked == null ? silence : Math.min(silence, now - asked);
            long left = timeOut + (long) (timeOut * draw) - since;
            if (left > 0) {
                next = Math.min(next, left);
            } else if (asking.compareAndSet(false, true)) {
                asked = now;
                draw = chance.random().nextDouble();
                ask(timeOut);
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

    private void ask(long timeOut) {
        CompletableFuture<Boolean> answer;
        try {
            answer = seat.ask();
        } catch (RuntimeException e) {
            asking.set(false);
            throw e;
        }
        var _ = answer.whenComplete((granted, _) -> {
            try {
                // It may have been heard while the others were asked.
                boolean stands = granted != null && granted && seat.silence() >= timeOut && seat.stand();
                (stands ? stood : refused).inc();
            } finally {
                asking.set(false);
            }
        });
    }

    private void say(long timeOut) {
        boolean longer = timeOut > times.election().toNanos();
        if (longer && !said) {
            log.log(
                    ClusterMessages.ELECTIONS_LONGER,
                    TimeUnit.NANOSECONDS.toMillis(starvation.worst(clock.nanos())),
                    TimeUnit.NANOSECONDS.toMillis(timeOut),
                    times.election().toMillis());
        } else if (!longer && said) {
            log.log(ClusterMessages.ELECTIONS_USUAL, times.election().toMillis());
        }
        said = longer;
    }
}
