package io.weir.cluster;

import io.weir.base.Fence;

/**
 * An object of which exactly one in the cluster is active: WebLogic's SingletonService with the fence of its lease. Needs a
 * public constructor without parameters. The server calls {@link #activate} on one member at a time, then
 * {@link #deactivate}, then activate elsewhere; never two calls at once on one object. Each activation has an object of its own.
 */
public interface SingletonService {
    /**
     * This member is the one. Called after the lease was acquired, committed and seen here; must return within the activation
     * time-out (30 s by default).
     *
     * @param fence higher than that of every earlier activation anywhere: hand it to whatever this service writes to, so that
     *     a paused predecessor's writes can be refused
     * @throws Exception when it cannot be activated here; another candidate is tried
     */
    void activate(Fence fence) throws Exception;

    /**
     * This member is the one no longer: let go of everything. Must return within the deactivation time-out (10 s by default), and
     * where the lease is being lost within its grace ({@link ServiceLease#remaining}); called also while {@code activate}s and
     * {@code deactivate}s of others hang.
     *
     * @throws Exception is logged; activation elsewhere goes on
     */
    void deactivate() throws Exception;
}
