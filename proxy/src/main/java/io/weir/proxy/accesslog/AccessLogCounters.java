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
        Counter rotations) {
    static AccessLogCounters of(Stats stats) {
        return new AccessLogCounters(
                stats.counter(AccessLogStats.RECORDS),
                stats.counter(AccessLogStats.DROPPED),
                stats.counter(AccessLogStats.CUT),
                stats.counter(AccessLogStats.WRITES),
                stats.counter(AccessLogStats.BYTES),
                stats.counter(AccessLogStats.FAILURES),
                stats.counter(AccessLogStats.ROTATIONS));
    }
}
