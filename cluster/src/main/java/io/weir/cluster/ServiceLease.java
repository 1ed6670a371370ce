package io.weir.cluster;

import io.weir.base.Fence;
import java.time.Duration;

/**
 * The lease under which a singleton service is active: how long exclusivity is guaranteed, and notification of its
 * loss. Looked up with {@code new InitialContext().lookup(ServiceLease.NAME)} within {@code activate}, or from a thread
 * of the service. The time is measured on this machine's monotonic clock from when the last confirmed renewal was sent,
 * so it ends before any other member activates the service, even if this member is partitioned. Shared.
 */
public interface ServiceLease {
    /** JNDI name of the lookup. */
    String NAME = "weir/lease";

    /** The fence with which the service was activated. */
    Fence fence();

    /**
     * Guaranteed remaining time if the lease is not renewed: zero once it has ended. Do not begin a unit of work that
     * takes longer and is not guarded by a fence.
     */
    Duration remaining();

    /** Whether the lease is still held; check before each unit of work. */
    boolean held();

    /**
     * Registers a callback for the loss of the lease: it cannot be renewed and is about to end, or has ended. Called
     * once, concurrently with {@code deactivate} or while {@code activate} still runs, on a thread of its own;
     * immediately on the calling thread if the lease is already being lost. Not called if the service is deactivated
     * because it moves or stops.
     *
     * @throws IllegalStateException if sixteen callbacks are registered already
     */
    void whenLost(Runnable listener);
}
