package io.weir.wire.channel;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireStats;
import java.util.EnumMap;
import java.util.Map;

/** The counters of one end's connections, resolved once. Shared by all of them. */
public final class WireCounters {
    final Counter opened;
    final Counter lost;
    final Counter uncaught;
    final Counter framesRead;
    final Counter framesSent;
    final Counter bytesRead;
    final Counter bytesSent;
    final Counter flushes;
    final Counter writability;
    private final Map<Reason, Counter> faults = new EnumMap<>(Reason.class);

    /** The counters in these statistics. */
    public WireCounters(Stats stats) {
        opened = stats.counter(WireStats.OPENED);
        lost = stats.counter(WireStats.LOST);
        uncaught = stats.counter(WireStats.UNCAUGHT);
        framesRead = stats.counter(WireStats.FRAMES_READ);
        framesSent = stats.counter(WireStats.FRAMES_SENT);
        bytesRead = stats.counter(WireStats.BYTES_READ);
        bytesSent = stats.counter(WireStats.BYTES_SENT);
        flushes = stats.counter(WireStats.FLUSHES);
        writability = stats.counter(WireStats.WRITABILITY);
        for (Reason reason : Reason.values()) {
            faults.put(reason, stats.counter(WireStats.FAULTS, reason.label()));
        }
    }

    void fault(Reason reason) {
        Counter c = faults.get(reason);
        if (c != null) {
            c.inc();
        }
    }
}
