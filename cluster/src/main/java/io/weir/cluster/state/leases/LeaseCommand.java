package io.weir.cluster.state.leases;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.entry.Refusal;
import java.util.List;

/** Commands about leases. */
public sealed interface LeaseCommand extends Command {
    /**
     * A member requests a lease. Granted if it is free ({@link Answer.Granted}, with the fence: epoch and index of this
     * entry), or was granted to this incarnation before (with the same fence and without a renewal).
     * {@code singleton/X} is granted only if X is placed on the member; {@code member/X} only to X. Otherwise
     * {@link Answer.HeldBy} or a refusal.
     *
     * @param request increases with each request of an incarnation: a repetition that arrives after the lease was
     *     released is refused with {@link Refusal#DUPLICATE}
     */
    record Acquire(String lease, String owner, long incarnation, long request) implements LeaseCommand {}

    /**
     * Renews all leases of a member, once per interval. Answered by {@link Answer.Renewed} with those that it no longer
     * holds.
     */
    record Renew(String member, long incarnation, List<LeaseRef> leases) implements LeaseCommand {
        public Renew {
            leases = List.copyOf(leases);
        }
    }

    /** Its owner releases it. Accepted also if it is already free and this was the last fence. */
    record Release(String lease, Fence fence) implements LeaseCommand {}

    /** The leader saw no renewal for the time to live. Refused if there was one, or the lease has another owner. */
    record Expire(String lease, Fence fence, long lastRenewal) implements LeaseCommand {}

    /**
     * A database row granted a lease with this fence. Accepted if the fence is higher than every earlier one; the
     * former owner has lost the lease. For a singleton that is not placed on this member the fence is recorded, but the
     * lease stays free, and the answer is a refusal.
     */
    record Recorded(String lease, String owner, long incarnation, Fence fence) implements LeaseCommand {}

    /** A database row shows that the holder with this fence has lost the lease. */
    record Lost(String lease, Fence fence) implements LeaseCommand {}
}
