package io.weir.cluster.singleton;

/** A service's class cannot be found or instantiated: the message says which class, from where and why. Immutable. */
public final class ServiceFault extends Exception {
    private static final long serialVersionUID = 1L;

    public ServiceFault(String message) {
        super(message);
    }

    public ServiceFault(String message, Throwable cause) {
        super(message, cause);
    }
}
