package io.weir.cluster.weblogic;

import io.weir.base.Fence;

/**
 * Adapts a service with WebLogic's interface to Weir's: the fence is used only for Weir's side effects. One for each
 * activation.
 */
public final class Adapted implements io.weir.cluster.SingletonService {
    private final SingletonService service;

    /** Wraps a service, which never receives the fence. */
    public Adapted(SingletonService service) {
        this.service = service;
    }

    @Override
    public void activate(Fence fence) {
        service.activate();
    }

    @Override
    public void deactivate() {
        service.deactivate();
    }
}
