package io.weir.cluster;

import io.weir.base.Fence;

/**
 * An object of which exactly one in the cluster is active: WebLogic's SingletonService with the fence of its lease.
 * Needs a public constructor without parameters. The server calls {@link #activate} on one member at a time, then
 * {@link #deactivate}, then activate elsewhere; never two concurrent calls on one object. Each activation has an object
 * of its own.
 */
public interface SingletonService {
    /**
     * Activates the service on this member. Called after the lease was acquired, committed and applied here; must
     * return within the activation time-out (30 s by default).
     *
     * @param fence higher than that of every earlier activation anywhere: pass it with every write to external systems,
     *     so that they can refuse writes of a paused predecessor
     * @throws Exception if it cannot be activated here; another candidate is tried
     */
    void activate(Fence fence) throws Exception;

    /**
     * Deactivates the service on this member: release all resources. Must return within the deactivation time-out (10 s
     * by default) or, if the lease is being lost, within its grace ({@link ServiceLease#remaining}). Called even while
     * {@code activate} or {@code deactivate} calls of other services hang.
     *
     * @throws Exception is logged; activation on another member proceeds
     */
    void deactivate() throws Exception;
}
