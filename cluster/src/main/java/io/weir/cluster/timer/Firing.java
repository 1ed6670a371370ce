package io.weir.cluster.timer;

import io.weir.base.Fence;
import java.time.Instant;

/**
 * One firing of a cluster-wide timer. The same scheduled time may be delivered again with a higher fence, if the first
 * member died or was partitioned before its listener returned: (id, scheduled, fence) identifies a delivery, (id,
 * scheduled) the occurrence. Immutable.
 *
 * @param id id of the timer
 * @param scheduled when it was due, not when it fires
 * @param fence of the lease under which it fires; pass it with the listener's writes
 * @param requested whether an operator requested it, outside the schedule
 */
public record Firing(String id, Instant scheduled, Fence fence, boolean requested) {}
