package io.weir.cluster.timer;

import io.weir.base.Fence;
import java.time.Instant;

/**
 * One firing of a cluster-wide timer. The same scheduled time may be delivered again with a higher fence, when the
 * first member died or was cut off before its listener returned: (id, scheduled, fence) is the key by which a receiver
 * recognises a repetition, (id, scheduled) the one by which it recognises the occasion. Immutable.
 *
 * @param id the timer's
 * @param scheduled when it was due: not when it fires
 * @param fence of the lease under which it fires; hand it to whatever the listener writes to
 * @param requested an operator asked for it, out of turn
 */
public record Firing(String id, Instant scheduled, Fence fence, boolean requested) {}
