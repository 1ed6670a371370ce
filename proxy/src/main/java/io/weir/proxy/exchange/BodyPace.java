package io.weir.proxy.exchange;

import java.util.concurrent.TimeUnit;

/**
 * How long a client may pause within one request's body. It starts with a credit of the longest pause; waiting uses it
 * up, each byte restores the time that it takes at the minimum rate, up to the longest pause. Time in which Weir itself
 * cannot accept the body is not counted. Owned by one {@link Upload}, confined to its muxer; times are nanoseconds of
 * its clock.
 */
final class BodyPace {
    private long credit;
    private boolean waiting;
    private long since;
    private long quiet;

    /** Starts a new body with full credit. */
    void begin(long longestPause) {
        credit = longestPause;
        waiting = false;
        quiet = 0;
    }

    /**
     * Starts waiting for the next piece: returns the longest wait from now on, at least 1.
     *
     * @param longestPause the current setting: it may have become shorter
     */
    long await(long now, long longestPause) {
        pause(now);
        credit = Math.min(credit, longestPause);
        waiting = true;
        since = now;
        return Math.max(1, credit);
    }

    /** Whether the wait has used up its credit. */
    boolean over(long now, long longestPause) {
        return waiting && Math.min(credit, longestPause) - (now - since) <= 0;
    }

    /** Stops waiting: the client is not expected to send, or nothing can be accepted at present. */
    void pause(long now) {
        if (waiting) {
            waiting = false;
            credit -= now - since;
            quiet += now - since;
        }
    }

    /**
     * Bytes were received.
     *
     * @param rate minimum bytes a second, 0 for no bound
     */
    void received(int bytes, long now, long longestPause, long rate) {
        pause(now);
        quiet = 0;
        credit = rate == 0 ? longestPause : Math.min(longestPause, Math.max(0, credit) + earned(bytes, rate));
    }

    private static long earned(int bytes, long rate) {
        return TimeUnit.SECONDS.toNanos(bytes) / rate;
    }

    /** Time waited since the last piece. */
    long silence(long now) {
        return quiet + (waiting ? now - since : 0);
    }
}
