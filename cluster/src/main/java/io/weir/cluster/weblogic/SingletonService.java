package io.weir.cluster.weblogic;

/**
 * Equivalent of WebLogic's {@code weblogic.cluster.singleton.SingletonService}: the same two methods, without a fence.
 * A class written for it runs here after its import is changed. Exactly one object of it in the cluster is active; a
 * service that writes to shared storage should implement {@link io.weir.cluster.SingletonService} instead and pass the
 * fence on. Source: the article on the Singleton Service.
 */
public interface SingletonService {
    /** Activates the service on this server. If it throws a runtime exception, another server is tried. */
    void activate();

    /** Deactivates the service. A runtime exception is logged and ignored. */
    void deactivate();
}
