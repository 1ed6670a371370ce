package io.weir.wire.invoke.caller;

import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.description.Export;
import org.jspecify.annotations.Nullable;

/** Finds where a service is now. Shared; may block for as long as its argument allows. */
public interface References {
    /**
     * Asks.
     *
     * @param last the reference that served until now, whose members may be asked; null at first
     * @param withinNanos how long it may take
     * @return null when the service has no owner now
     * @throws InvocationFault when no member can be queried
     */
    @Nullable
    ServiceReference find(String service, @Nullable ServiceReference last, long withinNanos);

    /** The service where it is this process's own: called without a connection, by value all the same. */
    default @Nullable Export local(String service) {
        return null;
    }
}
