package io.weir.wire.invoke.caller;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How a proxy calls. Immutable; begin with {@link #DEFAULT}.
 *
 * @param deadline how long a call may take
 * @param deadlines the same for methods by name, where it differs
 * @param ownerWait how long a call waits while the service has no owner or the owner cannot be reached, as during a
 * move;     zero: it looks once more and fails at once. Only what surely was not executed waits
 */
public record ProxyOptions(Duration deadline, Map<String, Duration> deadlines, Duration ownerWait) {
    /** 30 s for each call, no waiting for an owner. */
    public static final ProxyOptions DEFAULT = new ProxyOptions(Duration.ofSeconds(30), Map.of(), Duration.ZERO);

    public ProxyOptions {
        deadlines = Map.copyOf(deadlines);
    }

    public ProxyOptions withDeadline(Duration d) {
        return new ProxyOptions(d, deadlines, ownerWait);
    }

    /** For the methods of this name. */
    public ProxyOptions withDeadline(String method, Duration d) {
        Map<String, Duration> more = new HashMap<>(deadlines);
        more.put(method, d);
        return new ProxyOptions(deadline, more, ownerWait);
    }

    public ProxyOptions withOwnerWait(Duration d) {
        return new ProxyOptions(deadline, deadlines, d);
    }

    /** Nanoseconds that a call of this method may take. */
    long nanos(String method) {
        return deadlines.getOrDefault(method, deadline).toNanos();
    }
}
