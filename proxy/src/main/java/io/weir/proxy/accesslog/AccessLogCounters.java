package io.weir.proxy.accesslog;

import io.weir.base.Counter;
import io.weir.base.Stats;

/** The access log's counters. Shared. */
record AccessLogCounters(
        Counter records,
        Counter dropped,
        Counter cut,
        Counter writes,
        Counter bytes,
        Counter failures,
        Counter lost,
        Counter rotations) {
    static AccessLogCounters of(Stats stats, String log) {
        return new AccessLogCounters(
                stats.counter(AccessLogStats.RECORDS, log),
                stats.counter(AccessLogStats.DROPPED, log),
                stats.counter(AccessLogStats.CUT, log),
                stats.counter(AccessLogStats.WRITES, log),
                stats.counter(AccessLogStats.BYTES, log),
                stats.counter(AccessLogStats.FAILURES, log),
                stats.counter(AccessLogStats.LOST, log),
                stats.counter(AccessLogStats.ROTATIONS, log));
    }
}
