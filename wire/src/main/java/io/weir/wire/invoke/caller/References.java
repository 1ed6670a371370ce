package io.weir.wire.invoke.caller;

import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.description.Export;
import org.jspecify.annotations.Nullable;

/** Locates services. Shared; may block for as long as its argument allows. */
public interface References {
    /**
     * Looks up a service.
     *
     * @param last the reference used until now, whose members can be queried; null initially
     * @param withinNanos time limit
     * @return null if the service has no owner now
     * @throws InvocationFault if no member can be queried
     */
    @Nullable
    ServiceReference find(String service, @Nullable ServiceReference last, long withinNanos);

    /** The service if this process owns it: it is then called without a connection, but still by value. */
    default @Nullable Export local(String service) {
        return null;
    }
}
