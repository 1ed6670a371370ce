package io.weir.wire.invoke.caller;

import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the member that a call waits for: one that is stopped, or cut off, keeps its connection and says nothing.
 * After a second without an answer it gets a probe that needs no thread of it; after another one without any frame the
 * other members are queried each second for a new owner of the service. As long as it has not, the call waits. Confined
 * to the calling thread; lives as long as one attempt.
 */
final class Watch {
    /** From one look to the next. */
    static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final CallLink link;
    private final String service;
    private final ServiceReference owner;
    private long heard;
    private boolean asked;

    Watch(CallLink link, String service, ServiceReference owner) {
        this.link = link;
        this.service = service;
        this.owner = owner;
        this.heard = link.heard();
    }

    /** Looks once; a new owner where the one that is waited for says nothing and the cluster knows a later one. */
    @Nullable
    ServiceReference look(References references, long withinNanos) {
        long now = link.heard();
        boolean silent = asked && now == heard;
        heard = now;
        asked = true;
        if (!silent) {
            link.ask(service);
            return null;
        }
        link.silent();
        return later(references, withinNanos);
    }

    private @Nullable ServiceReference later(References references, long withinNanos) {
        try {
            ServiceReference found = references.find(service, owner, Math.min(withinNanos, LOOK_NANOS));
            return found != null && found.fence().compareTo(owner.fence()) > 0 ? found : null;
        } catch (InvocationFault e) {
            if (e.code() == InvocationFault.Code.INTERRUPTED) {
                throw e;
            }
            return null; // no member can be queried: go on waiting
        }
    }
}
