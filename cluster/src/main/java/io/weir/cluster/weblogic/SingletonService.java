package io.weir.cluster.weblogic;

/**
 * The shape of WebLogic's {@code weblogic.cluster.singleton.SingletonService}: the same two methods, without a fence. A class
 * written for it runs here after this import was changed. Exactly one object of it in the cluster is active; a service that
 * writes to something shared should rather implement {@link io.weir.cluster.SingletonService} and hand the fence on. Source:
 * the article on the Singleton Service.
 */
public interface SingletonService {
    /** This server is the one. A runtime exception lets another server be tried. */
    void activate();

    /** It is no longer. A runtime exception is logged and ignored. */
    void deactivate();
}
