package io.weir.kernel.connection;

import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Muxer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one muxer that wait for something: for their client's next request (keep-alive), or for the rest of a
 * request or the taking of an answer. Confined to the muxer but for what {@link ConnectionList} lets others read; lives as
 * long as the muxer.
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

    /** Those that are kept for another request. */
    ConnectionList idle() {
        return idle;
    }

    /** Those whose client is waited for: it has not sent a whole request, or not taken an answer. */
    ConnectionList awaited() {
        return awaited;
    }

    /** Makes sure that idle connections are looked at when the oldest one's time is over. */
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

    /** Looks through the idle connections once, and again while there are any. */
    private final class Sweeper extends Deadline {
        private final KeepAlive keepAlive;

        Sweeper(KeepAlive keepAlive) {
            this.keepAlive = keepAlive;
        }

        @Override
        protected void expired() {
            long left = keepAlive.sweep(WaitingConnections.this);
            if (left > 0) {
                // At least once a second, so that a shorter time-out set meanwhile takes effect.
                muxer.deadlines().arm(this, Math.min(left, SECOND));
            }
        }
    }
}
