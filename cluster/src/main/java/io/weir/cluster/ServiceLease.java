package io.weir.cluster;

import io.weir.base.Fence;
import java.time.Duration;

/**
 * The lease under which a singleton service is active: for how long it surely is the only one, and when that ends. Found by
 * {@code new InitialContext().lookup(ServiceLease.NAME)} within {@code activate}, or from a thread of the service. The time is
 * counted on this machine's monotonic clock from the sending of the last renewal that the cluster confirmed, so it is over before
 * anybody else begins, whatever this member still hears. Shared.
 */
public interface ServiceLease {
    /** Where it is found. */
    String NAME = "weir/lease";

    /** With which the service was activated. */
    Fence fence();

    /**
     * How long it surely lasts from this moment, unless renewed: zero when it is over. A unit of work that takes longer than this, and
     * that no fence guards, is not to be begun.
     */
    Duration remaining();

    /** Whether it lasts at all: asked before each unit of work. */
    boolean held();

    /**
     * Has something called when it is being lost: it cannot be renewed and its end is near, or it is over. Called once, at the
     * same time as {@code deactivate} or while {@code activate} still runs, on a thread of its own; at once on the calling thread when
     * it is being lost already. Not called where the service is deactivated because it moves or stops.
     *
     * @throws IllegalStateException when sixteen wait already
     */
    void whenLost(Runnable listener);
}
