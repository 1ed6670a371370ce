package io.weir.jms;

import io.weir.wire.invoke.ServiceReference;
import javax.naming.NamingException;

/** Thrown if a name refers to a service that this application cannot call. */
final class ServiceNotUsable extends NamingException {
    private static final long serialVersionUID = 1;

    private final transient ServiceReference reference;

    ServiceNotUsable(ServiceReference reference, IllegalArgumentException why) {
        super(why.getMessage());
        this.reference = reference;
        setRootCause(why);
    }

    ServiceReference reference() {
        return reference;
    }
}
