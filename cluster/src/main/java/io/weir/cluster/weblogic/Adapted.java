package io.weir.cluster.weblogic;

import io.weir.base.Fence;

/** A service of WebLogic's shape as one of ours: the fence stays with Weir's own side effects. One for each activation. */
public final class Adapted implements io.weir.cluster.SingletonService {
    private final SingletonService service;

    /** Runs a service of that shape; it never sees the fence. */
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
