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
     * A member asks for a lease. Granted when it is free ({@link Answer.Granted}, with the fence: epoch and index of
     * this entry), or was granted to this very incarnation before (the same fence; not renewed by that). For
     * {@code singleton/X}, only when X is placed on it; for {@code member/X}, only by X. Else {@link Answer.HeldBy} or
     * a refusal.
     *
     * @param request rises with each request of an incarnation: a repetition that arrives after the lease was released
     * is refused with {@link Refusal#DUPLICATE}
     */
    record Acquire(String lease, String owner, long incarnation, long request) implements LeaseCommand {}

    /**
     * All that a member holds, once a tick. Answers {@link Answer.Renewed} with those that it does not hold any more.
     */
    record Renew(String member, long incarnation, List<LeaseRef> leases) implements LeaseCommand {
        public Renew {
            leases = List.copyOf(leases);
        }
    }

    /** Its owner gives it up. Done also when it is free already and this was the last fence. */
    record Release(String lease, Fence fence) implements LeaseCommand {}

    /** The leader saw no renewal for the time to live. Refused when there was one, or the lease changed hands. */
    record Expire(String lease, Fence fence, long lastRenewal) implements LeaseCommand {}

    /**
     * A database's row granted a lease with this fence. Accepted when the fence is higher than every earlier one; the
     * former owner has lost it. For a singleton that is not placed on this member, the fence counts, but it owns
     * nothing, and the answer is a refusal.
     */
    record Recorded(String lease, String owner, long incarnation, Fence fence) implements LeaseCommand {}

    /** A database's row says that the holder with this fence has lost the lease. */
    record Lost(String lease, Fence fence) implements LeaseCommand {}
}
