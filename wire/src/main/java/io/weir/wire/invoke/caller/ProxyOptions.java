package io.weir.wire.invoke.caller;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How a proxy calls. Immutable; start from {@link #DEFAULT}.
 *
 * @param deadline maximum duration of a call
 * @param deadlines maximum duration for methods by name, where it differs
 * @param ownerWait time that a call waits while the service has no owner or the owner cannot be reached, as during a
 * move; zero: one retry, then it fails immediately. Only calls that were certainly not executed wait
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

    /** Sets the deadline of the methods of this name. */
    public ProxyOptions withDeadline(String method, Duration d) {
        Map<String, Duration> more = new HashMap<>(deadlines);
        more.put(method, d);
        return new ProxyOptions(deadline, more, ownerWait);
    }

    public ProxyOptions withOwnerWait(Duration d) {
        return new ProxyOptions(deadline, deadlines, d);
    }

    /** Maximum duration of a call of this method, in nanoseconds. */
    long nanos(String method) {
        return deadlines.getOrDefault(method, deadline).toNanos();
    }
}
