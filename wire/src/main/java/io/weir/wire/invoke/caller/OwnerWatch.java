package io.weir.wire.invoke.caller;

import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Monitors the member that a call waits for: one that is stopped or partitioned keeps its connection but sends nothing.
 * After a second without a response it gets a probe that needs none of its threads; after another second without any
 * frame, the other members are queried each second for a new owner of the service. Until there is one, the call waits.
 * Confined to the calling thread; lives as long as one attempt.
 */
final class OwnerWatch {
    /** Interval between checks. */
    static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final CallLink link;
    private final String service;
    private final ServiceReference owner;
    private long received;
    private boolean probed;

    OwnerWatch(CallLink link, String service, ServiceReference owner) {
        this.link = link;
        this.service = service;
        this.owner = owner;
        this.received = link.received();
    }

    /** Checks once; returns a new owner if the current one is silent and the cluster knows a later one. */
    @Nullable
    ServiceReference check(References references, long withinNanos) {
        long now = link.received();
        boolean silent = probed && now == received;
        received = now;
        probed = true;
        if (!silent) {
            link.probe(service);
            return null;
        }
        link.silent();
        return later(references, withinNanos);
    }

    private @Nullable ServiceReference later(References references, long withinNanos) {
        try {
            ServiceReference found = references.find(service, owner, Math.min(withinNanos, CHECK_NANOS));
            return found != null && found.fence().compareTo(owner.fence()) > 0 ? found : null;
        } catch (InvocationFault e) {
            if (e.code() == InvocationFault.Code.INTERRUPTED) {
                throw e;
            }
            return null; // no member can be queried: keep waiting
        }
    }
}
