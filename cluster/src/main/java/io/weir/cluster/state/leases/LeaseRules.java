package io.weir.cluster.state.leases;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition.What;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of leases. They do not depend on members or singletons: the purpose of a lease, and the consequences of its
 * end, are behind {@link LeaseUses}. Pure except for their changes to the draft; confined to the application of one
 * entry.
 */
public final class LeaseRules {
    private final Draft draft;
    private final DraftTable<LeaseState> leases;
    private final LeaseUses uses;
    private long epoch;
    private long fenceRefusals;

    /**
     * Starts from the state before the entry.
     *
     * @param epoch epoch of every fence issued from now on
     * @param fenceRefusals total number of side effects refused because of an old fence
     */
    public LeaseRules(
            Draft draft, SortedMap<String, LeaseState> before, long epoch, long fenceRefusals, LeaseUses uses) {
        this.draft = draft;
        this.leases = new DraftTable<>(before);
        this.epoch = epoch;
        this.fenceRefusals = fenceRefusals;
        this.uses = uses;
    }

    public Answer apply(LeaseCommand command) {
        return switch (command) {
            case LeaseCommand.Acquire c -> acquire(c);
            case LeaseCommand.Renew c -> renew(c);
            case LeaseCommand.Release c -> release(c);
            case LeaseCommand.Expire c -> expire(c);
            case LeaseCommand.Recorded c -> record(c);
            case LeaseCommand.Lost c -> lost(c);
        };
    }

    private Answer acquire(LeaseCommand.Acquire c) {
        LeaseState now = leases.get(c.lease());
        Answer refusal = ownerRefused(c.lease(), c.owner(), c.incarnation());
        if (refusal != null) {
            return refusal;
        }
        if (now != null && now.owner() != null) {
            return now.heldBy(c.owner(), c.incarnation())
                    ? new Answer.Granted(now.fence())
                    : new Answer.HeldBy(now.owner(), now.incarnation(), now.fence());
        }
        if (now != null && now.incarnation() == c.incarnation() && c.request() <= now.request()) {
            return Draft.refused(Refusal.DUPLICATE, c.lease() + " was granted for this request and released");
        }
        refusal = uses.notFor(c.lease(), c.owner(), c.incarnation());
        return refusal != null ? refusal : grant(now, c, new Fence(epoch, draft.index()));
    }

    private Answer grant(@Nullable LeaseState before, LeaseCommand.Acquire c, Fence fence) {
        if (before == null && leases.size() >= StateLimits.LEASES) {
            return Draft.full("leases", StateLimits.LEASES);
        }
        if (before != null && fence.compareTo(before.fence()) <= 0) {
            return Draft.refused(
                    Refusal.STALE_FENCE,
                    c.lease() + " had the fence " + before.fence() + ", and " + fence
                            + " is not above it: the epoch must be raised");
        }
        long transitions = before == null ? 1 : before.transitions() + 1;
        LeaseState now =
                new LeaseState(c.lease(), c.owner(), c.incarnation(), c.request(), fence, draft.index(), transitions);
        leases.put(c.lease(), now);
        draft.emit(new LeaseEvent.Acquired(now));
        acquired(now);
        return new Answer.Granted(fence);
    }

    private void acquired(LeaseState lease) {
        if (Leases.isOther(lease.name())) {
            draft.record(What.LEASE, lease.name(), "", "" + lease.owner(), lease.fence(), "acquired");
        } else {
            uses.acquired(lease);
        }
    }

    /** Why this member can never own the lease; null if it can. */
    private @Nullable Answer ownerRefused(String lease, String owner, long incarnation) {
        Answer refusal = uses.unknownOwner(owner, incarnation);
        String life = Leases.member(lease);
        if (refusal == null && life != null && !life.equals(owner)) {
            return Draft.refused(Refusal.NOT_CANDIDATE, lease + " is for " + life + " only");
        }
        return refusal;
    }

    private Answer renew(LeaseCommand.Renew c) {
        List<LeaseRef> lost = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        List<LeaseState> before = new ArrayList<>();
        for (LeaseRef r : c.leases()) {
            LeaseState l = leases.get(r.lease());
            if (l != null && l.current(r.fence()) && l.heldBy(c.member(), c.incarnation())) {
                leases.put(r.lease(), l.renewed(draft.index()));
                kept.add(r.lease());
                before.add(l);
            } else {
                lost.add(r);
            }
        }
        if (!kept.isEmpty()) {
            draft.emit(new LeaseEvent.Renewed(c.member(), kept));
        }
        for (LeaseState l : before) {
            if (l.name().equals(Leases.ofMember(c.member()))) {
                uses.renewed(c.member(), l);
            }
        }
        return new Answer.Renewed(draft.index(), lost);
    }

    private Answer release(LeaseCommand.Release c) {
        return endIfCurrent(c.lease(), c.fence(), "released");
    }

    private Answer lost(LeaseCommand.Lost c) {
        return endIfCurrent(c.lease(), c.fence(), Leases.LOST);
    }

    private Answer endIfCurrent(String lease, Fence fence, String reason) {
        LeaseState l = leases.get(lease);
        if (l == null) {
            return Draft.unknown("lease", lease);
        }
        if (!l.fence().equals(fence)) {
            return Draft.refused(Refusal.CHANGED, lease + " has the fence " + l.fence() + " by now, not " + fence);
        }
        if (!l.free()) {
            end(l, reason);
        }
        return draft.ok();
    }

    private Answer expire(LeaseCommand.Expire c) {
        LeaseState l = leases.get(c.lease());
        if (l == null) {
            return Draft.unknown("lease", c.lease());
        }
        if (!l.current(c.fence()) || l.renewal() != c.lastRenewal()) {
            return Draft.refused(
                    Refusal.CHANGED,
                    c.lease() + " was renewed at " + l.renewal() + " with the fence " + l.fence()
                            + (l.free() ? ", and is free" : ""));
        }
        end(l, Leases.EXPIRED);
        return draft.ok();
    }

    private Answer record(LeaseCommand.Recorded c) {
        Answer refusal = ownerRefused(c.lease(), c.owner(), c.incarnation());
        if (refusal != null) {
            return refusal;
        }
        LeaseState now = leases.get(c.lease());
        if (now != null && now.current(c.fence()) && now.heldBy(c.owner(), c.incarnation())) {
            return new Answer.Granted(c.fence());
        }
        if (now != null && c.fence().compareTo(now.fence()) <= 0) {
            return Draft.refused(
                    Refusal.STALE_FENCE,
                    c.lease() + " had the fence " + now.fence() + " already, not below " + c.fence());
        }
        if (now != null && !now.free()) {
            end(now, "the database gave it to " + c.owner());
        }
        var request = new LeaseCommand.Acquire(c.lease(), c.owner(), c.incarnation(), 0);
        refusal = uses.notFor(c.lease(), c.owner(), c.incarnation());
        return refusal == null ? grant(leases.get(c.lease()), request, c.fence()) : seen(c, refusal);
    }

    /** The database issued this fence, so lower ones are void, although this one is refused. */
    private Answer seen(LeaseCommand.Recorded c, Answer refusal) {
        LeaseState l = leases.get(c.lease());
        if (l == null && leases.size() >= StateLimits.LEASES) {
            return Draft.full("leases", StateLimits.LEASES);
        }
        long transitions = l == null ? 0 : l.transitions();
        leases.put(
                c.lease(), new LeaseState(c.lease(), null, c.incarnation(), 0, c.fence(), draft.index(), transitions));
        return refusal;
    }

    /** Ends all leases of a member's former incarnation. */
    public void endAll(String member, long incarnation, String reason) {
        for (LeaseState l : List.copyOf(leases.view().values())) {
            if (l.heldBy(member, incarnation)) {
                end(l, reason);
            }
        }
    }

    /** Ends a held lease and everything that depends on it. */
    public void end(LeaseState lease, String reason) {
        String owner = "" + lease.owner();
        leases.put(lease.name(), lease.freed());
        draft.emit(new LeaseEvent.Ended(lease.name(), owner, lease.incarnation(), lease.fence(), reason));
        uses.ended(lease, reason);
        if (Leases.isOther(lease.name())) {
            draft.record(What.LEASE, lease.name(), owner, "", lease.fence(), reason);
        }
    }

    /** Refuses and counts a side effect whose fence is not current; null if the fence is current. */
    public @Nullable Answer fenced(String lease, Fence offered, String what) {
        LeaseState l = leases.get(lease);
        if (l != null && l.current(offered)) {
            return null;
        }
        Fence current = l == null ? Fence.NONE : l.fence();
        fenceRefusals++;
        draft.emit(new LeaseEvent.FenceRefused(lease, offered, current, what, draft.by()));
        String state = l == null || l.free() ? "it is free; its last fence was " : "it is held with ";
        return Draft.refused(
                Refusal.STALE_FENCE, what + " with fence " + offered + " of lease " + lease + ": " + state + current);
    }

    /**
     * Raises the epoch of all later fences. Refused if it does not rise, and while any lease other than member leases
     * is held: its holder would continue until it is informed, and if the lease were ended here, another could acquire
     * it in between.
     */
    public Answer raise(long to) {
        if (to <= epoch) {
            return Draft.refused(Refusal.CHANGED, "the epoch is " + epoch + " already");
        }
        for (LeaseState l : leases.view().values()) {
            if (!l.free() && Leases.member(l.name()) == null) {
                return Draft.refused(
                        Refusal.BUSY, l.name() + " is held by " + l.owner() + ": the epoch of a running cluster stays");
            }
        }
        draft.record(What.CLUSTER, "epoch", "" + epoch, "" + to, Fence.NONE, "the basis of leasing changed");
        epoch = to;
        return draft.ok();
    }

    public @Nullable LeaseState get(String lease) {
        return leases.get(lease);
    }

    /** The lease's owner; null if it is free or unknown. */
    public @Nullable String owner(String lease) {
        LeaseState l = leases.get(lease);
        return l == null ? null : l.owner();
    }

    /** A view of all leases; must not be used after the next change. */
    public SortedMap<String, LeaseState> view() {
        return leases.view();
    }

    /** The result for the next state. */
    public SortedMap<String, LeaseState> done() {
        return leases.done();
    }

    public long epoch() {
        return epoch;
    }

    public long fenceRefusals() {
        return fenceRefusals;
    }
}
