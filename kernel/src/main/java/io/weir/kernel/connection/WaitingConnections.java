package io.weir.kernel.connection;

import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Muxer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one muxer that wait: for their client's next request (keep-alive), or for the rest of a request or
 * for a response to be read. Confined to the muxer, except for the values that {@link ConnectionList} publishes; lives
 * as long as the muxer.
 */
final class WaitingConnections {
    private static final long SECOND = 1_000_000_000L;

    private final Muxer muxer;
    private final ConnectionList idle = new ConnectionList();
    private final ConnectionList awaited = new ConnectionList();
    private @Nullable Deadline sweeper;

    WaitingConnections(Muxer muxer) {
        this.muxer = muxer;
    }

    Muxer muxer() {
        return muxer;
    }

    /** Connections kept for another request. */
    ConnectionList idle() {
        return idle;
    }

    /** Connections that wait for their client, which has not sent a whole request or not read a response. */
    ConnectionList awaited() {
        return awaited;
    }

    /** Schedules a sweep for the time when the oldest idle connection times out. */
    void sweep(KeepAlive keepAlive) {
        Deadline s = sweeper;
        if (s == null) {
            s = new Sweeper(keepAlive);
            sweeper = s;
        }
        if (!s.armed()) {
            muxer.deadlines().arm(s, Math.min(keepAlive.timeOutNanos(), SECOND));
        }
    }

    /** Sweeps the idle connections, and reschedules itself while there are any. */
    private final class Sweeper extends Deadline {
        private final KeepAlive keepAlive;

        Sweeper(KeepAlive keepAlive) {
            this.keepAlive = keepAlive;
        }

        @Override
        protected void expired() {
            long left = keepAlive.sweep(WaitingConnections.this);
            if (left > 0) {
                // At least once a second, so that a shorter time-out set in the meantime takes effect.
                muxer.deadlines().arm(this, Math.min(left, SECOND));
            }
        }
    }
}
