package io.weir.cluster.lease;

import io.weir.base.Fence;
import org.jspecify.annotations.Nullable;

/**
 * A backend's view of a lease. Immutable.
 *
 * @param owner null when free
 * @param fence of the owner; of the last one when free; {@link Fence#NONE} if it was never held
 * @param renewal identifies the renewal: it rises with each (the log's index, or the row's time); it has no other
 *     meaning
 * @param transitions number of acquisitions
 */
public record Lease(String name, @Nullable Owner owner, Fence fence, long renewal, long transitions) {
    /** A lease that was never held. */
    public static Lease never(String name) {
        return new Lease(name, null, Fence.NONE, 0, 0);
    }

    public boolean heldBy(Owner other) {
        return other.equals(owner);
    }
}
