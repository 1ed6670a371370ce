package io.weir.proxy.pool;

import java.util.concurrent.atomic.LongAdder;

/** A pool's counters, in addition to those of its servers. Shared. */
public final class PoolCounts {
    final LongAdder retries = new LongAdder();
    final LongAdder retriesRefused = new LongAdder();
    final LongAdder refusedBusy = new LongAdder();
    final LongAdder refusedDown = new LongAdder();
    final LongAdder stickyFollowed = new LongAdder();
    final LongAdder stickyStrayed = new LongAdder();
    final LongAdder stickyUnknown = new LongAdder();

    void refused(PoolRefusal why) {
        (why == PoolRefusal.BUSY ? refusedBusy : refusedDown).increment();
    }

    /** Requests that were retried. */
    public long retries() {
        return retries.sum();
    }

    /** Requests that were not retried because the budget was used up. */
    public long retriesRefused() {
        return retriesRefused.sum();
    }

    /** Requests that no server admitted because all were full. */
    public long refusedBusy() {
        return refusedBusy.sum();
    }

    /** Requests that no server admitted because none was up. */
    public long refusedDown() {
        return refusedDown.sum();
    }

    /** Requests of sessions that reached their server. */
    public long stickyFollowed() {
        return stickyFollowed.sum();
    }

    /** Requests of sessions whose server was down or full. */
    public long stickyStrayed() {
        return stickyStrayed.sum();
    }

    /** Requests with a route that no server has. */
    public long stickyUnknown() {
        return stickyUnknown.sum();
    }
}
