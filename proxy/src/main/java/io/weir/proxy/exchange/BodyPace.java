package io.weir.proxy.exchange;

import java.util.concurrent.TimeUnit;

/**
 * How long a client may keep Weir waiting within one request's body. It starts with a credit of the longest pause; waiting
 * uses it up, each byte gives back what it may take at the least rate, never above the longest pause. Time in which Weir
 * itself can not take the body does not count. Owned by one {@link Upload}, confined to its muxer; times are nanoseconds of
 * its clock.
 */
final class BodyPace {
    private long credit;
    private boolean waiting;
    private long since;
    private long quiet;

    /** A new body, of which nothing is missed yet. */
    void begin(long longestPause) {
        credit = longestPause;
        waiting = false;
        quiet = 0;
    }

    /**
     * Weir waits for the next piece: how long at most from now on, at least 1.
     *
     * @param longestPause as it is now: it may have become shorter
     */
    long await(long now, long longestPause) {
        pause(now);
        credit = Math.min(credit, longestPause);
        waiting = true;
        since = now;
        return Math.max(1, credit);
    }

    /** Whether Weir has waited for as long as it may. */
    boolean over(long now, long longestPause) {
        return waiting && Math.min(credit, longestPause) - (now - since) <= 0;
    }

    /** Weir does not wait any more, or can take nothing at present. */
    void pause(long now) {
        if (waiting) {
            waiting = false;
            credit -= now - since;
            quiet += now - since;
        }
    }

    /**
     * Something came.
     *
     * @param rate least bytes a second, 0 for no bound
     */
    void came(int bytes, long now, long longestPause, long rate) {
        pause(now);
        quiet = 0;
        credit = rate == 0 ? longestPause : Math.min(longestPause, Math.max(0, credit) + earned(bytes, rate));
    }

    private static long earned(int bytes, long rate) {
        return TimeUnit.SECONDS.toNanos(bytes) / rate;
    }

    /** How long Weir has waited since the last piece. */
    long silence(long now) {
        return quiet + (waiting ? now - since : 0);
    }
}
