package io.weir.proxy.context;

import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.Stats;
import org.jspecify.annotations.Nullable;

/** One virtual server's counters: the values of stats-xml's request-bucket. Shared by all muxers. */
public final class ServerCounters {
    /** The statuses that the Sun proxy counts one by one. */
    private static final int[] SINGLE = {200, 206, 301, 302, 304, 400, 401, 403, 404, 407, 408, 500, 502, 503, 504};

    public final Counter requests;
    final Counter received;
    public final Counter sent;
    final Histogram duration;
    private final @Nullable Counter[] byStatus = new @Nullable Counter[600];
    private final Counter other;

    ServerCounters(Stats stats, String server) {
        requests = stats.counter(EngineStats.REQUESTS, server);
        received = stats.counter(EngineStats.BYTES_RECEIVED, server);
        sent = stats.counter(EngineStats.BYTES_SENT, server);
        duration = stats.histogram(EngineStats.DURATION, server);
        other = stats.counter(EngineStats.RESPONSES, server, "other");
        for (int hundreds = 2; hundreds <= 5; hundreds++) {
            Counter rest = stats.counter(EngineStats.RESPONSES, server, hundreds + "xx");
            for (int s = hundreds * 100; s < hundreds * 100 + 100; s++) {
                byStatus[s] = rest;
            }
        }
        for (int s : SINGLE) {
            byStatus[s] = stats.counter(EngineStats.RESPONSES, server, Integer.toString(s));
        }
        byStatus[101] = stats.counter(EngineStats.RESPONSES, server, "101");
    }

    /** Counts a final answer; a status of 0 means that there was none. */
    public void answered(int status, long receivedBytes, long sentBytes, long nanos) {
        Counter c = status >= 0 && status < byStatus.length ? byStatus[status] : null;
        (c == null ? other : c).inc();
        received.add(receivedBytes);
        sent.add(sentBytes);
        duration.record(nanos);
    }
}
