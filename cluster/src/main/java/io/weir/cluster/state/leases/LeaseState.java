package io.weir.cluster.state.leases;

import io.weir.base.Fence;
import org.jspecify.annotations.Nullable;

/**
 * A lease: its owner, and the highest fence it ever had, which is never forgotten. Immutable.
 *
 * @param owner the member that holds it; null if it is free
 * @param incarnation of the owner; of the last one if it is free
 * @param request number of the owner's request that acquired it, so that a request is not applied twice
 * @param fence fence of the owner; of the last one if it is free. No higher fence of this lease was ever issued
 * @param renewal index of the last renewal, or of the acquisition
 * @param transitions number of acquisitions
 */
public record LeaseState(
        String name,
        @Nullable String owner,
        long incarnation,
        long request,
        Fence fence,
        long renewal,
        long transitions) {
    /** Whether it is currently held with this fence: the check of every side effect. */
    public boolean current(Fence offered) {
        return owner != null && fence.equals(offered);
    }

    /** Whether this incarnation of the member holds it. */
    public boolean heldBy(String member, long incarnationOfMember) {
        return member.equals(owner) && incarnation == incarnationOfMember;
    }

    public boolean free() {
        return owner == null;
    }

    LeaseState renewed(long index) {
        return new LeaseState(name, owner, incarnation, request, fence, index, transitions);
    }

    LeaseState freed() {
        return new LeaseState(name, null, incarnation, request, fence, renewal, transitions);
    }
}
