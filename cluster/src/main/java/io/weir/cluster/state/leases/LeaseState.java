package io.weir.cluster.state.leases;

import io.weir.base.Fence;
import org.jspecify.annotations.Nullable;

/**
 * A lease: who has it, and the highest fence it ever had, which is kept for ever. Immutable.
 *
 * @param owner the member that has it; null when it is free
 * @param incarnation of the owner; of the last one when it is free
 * @param request number of the owner's request that acquired it: the same request applied twice changes nothing
 * @param fence the owner's; when it is free, the last one's. No higher one was ever given out
 * @param renewal index of the last renewal, or of the acquisition
 * @param transitions how often it was acquired
 */
public record LeaseState(
        String name,
        @Nullable String owner,
        long incarnation,
        long request,
        Fence fence,
        long renewal,
        long transitions) {
    /** Whether it is held with this fence now: the one test of every side effect. */
    public boolean current(Fence offered) {
        return owner != null && fence.equals(offered);
    }

    /** Whether this member in this life has it. */
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
