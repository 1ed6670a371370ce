package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.Transition.What;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of leases. Pure but for the draft that they change. */
final class Leasing {
    private Leasing() {}

    static Answer apply(Draft d, LeaseCommand command) {
        return switch (command) {
            case LeaseCommand.Acquire c -> acquire(d, c);
            case LeaseCommand.Renew c -> renew(d, c);
            case LeaseCommand.Release c -> release(d, c);
            case LeaseCommand.Expire c -> expire(d, c);
            case LeaseCommand.Recorded c -> record(d, c);
            case LeaseCommand.Lost c -> lost(d, c);
        };
    }

    private static Answer acquire(Draft d, LeaseCommand.Acquire c) {
        LeaseState now = d.leases.get(c.lease());
        Answer refusal = ownerRefused(d, c.lease(), c.owner(), c.incarnation());
        if (refusal != null) {
            return refusal;
        }
        if (now != null && now.owner() != null) {
            return now.heldBy(c.owner(), c.incarnation())
                    ? new Answer.Granted(now.fence())
                    : new Answer.HeldBy(now.owner(), now.incarnation(), now.fence());
        }
        if (now != null && now.incarnation() == c.incarnation() && c.request() <= now.request()) {
            return Draft.refused(Refusal.DUPLICATE, c.lease() + " was granted for this request and given up");
        }
        refusal = notPlaced(d, c.lease(), c.owner(), c.incarnation());
        return refusal != null ? refusal : grant(d, now, c, new Fence(d.epoch, d.index));
    }

    private static Answer grant(Draft d, @Nullable LeaseState before, LeaseCommand.Acquire c, Fence fence) {
        if (before == null && d.leases.size() >= Limits.LEASES) {
            return Draft.full("leases", Limits.LEASES);
        }
        if (before != null && fence.compareTo(before.fence()) <= 0) {
            return Draft.refused(
                    Refusal.STALE_FENCE,
                    c.lease() + " had the fence " + before.fence() + ", and " + fence
                            + " is not above it: the epoch must be raised");
        }
        long transitions = before == null ? 1 : before.transitions() + 1;
        LeaseState now =
                new LeaseState(c.lease(), c.owner(), c.incarnation(), c.request(), fence, d.index, transitions);
        d.leases.put(c.lease(), now);
        d.tell(new Event.LeaseAcquired(now));
        acquired(d, now);
        return new Answer.Granted(fence);
    }

    private static void acquired(Draft d, LeaseState lease) {
        String member = Leases.member(lease.name());
        String singleton = Leases.singleton(lease.name());
        if (member != null) {
            Membership.alive(d, member, lease.fence());
        } else if (singleton != null) {
            Singletons.acquired(d, singleton, lease);
        } else {
            d.record(What.LEASE, lease.name(), "", "" + lease.owner(), lease.fence(), "acquired");
        }
    }

    /** Why this member cannot own the lease whatever else holds; null when it can. */
    private static @Nullable Answer ownerRefused(Draft d, String lease, String owner, long incarnation) {
        MemberState m = d.members.get(owner);
        if (m == null) {
            return Draft.unknown("member", owner);
        }
        if (m.incarnation() != incarnation) {
            return Membership.stale(m);
        }
        String life = Leases.member(lease);
        if (life != null && !life.equals(owner)) {
            return Draft.refused(Refusal.NOT_CANDIDATE, lease + " is for " + life + " only");
        }
        return null;
    }

    /** Why a singleton's lease is not for this member now; null when it is, or for other leases. */
    private static @Nullable Answer notPlaced(Draft d, String lease, String owner, long incarnation) {
        String name = Leases.singleton(lease);
        if (name == null) {
            return null;
        }
        SingletonState s = d.singletons.get(name);
        if (s == null) {
            return Draft.unknown("singleton", name);
        }
        return s.placedOn(owner, incarnation)
                ? null
                : Draft.refused(Refusal.NOT_PLACED, name + " is " + Singletons.place(s) + ", not placed on " + owner);
    }

    private static Answer renew(Draft d, LeaseCommand.Renew c) {
        List<LeaseRef> lost = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        List<LeaseState> before = new ArrayList<>();
        for (LeaseRef r : c.leases()) {
            LeaseState l = d.leases.get(r.lease());
            if (l != null && l.current(r.fence()) && l.heldBy(c.member(), c.incarnation())) {
                d.leases.put(r.lease(), l.renewed(d.index));
                kept.add(r.lease());
                before.add(l);
            } else {
                lost.add(r);
            }
        }
        if (!kept.isEmpty()) {
            d.tell(new Event.LeasesRenewed(c.member(), kept));
        }
        for (LeaseState l : before) {
            if (l.name().equals(Leases.ofMember(c.member()))) {
                Membership.renewed(d, c.member(), l);
            }
        }
        return new Answer.Renewed(d.index, lost);
    }

    private static Answer release(Draft d, LeaseCommand.Release c) {
        return endIfCurrent(d, c.lease(), c.fence(), "released");
    }

    private static Answer lost(Draft d, LeaseCommand.Lost c) {
        return endIfCurrent(d, c.lease(), c.fence(), Leases.LOST);
    }

    private static Answer endIfCurrent(Draft d, String lease, Fence fence, String reason) {
        LeaseState l = d.leases.get(lease);
        if (l == null) {
            return Draft.unknown("lease", lease);
        }
        if (!l.fence().equals(fence)) {
            return Draft.refused(Refusal.CHANGED, lease + " has the fence " + l.fence() + " by now, not " + fence);
        }
        if (!l.free()) {
            end(d, l, reason);
        }
        return d.ok();
    }

    private static Answer expire(Draft d, LeaseCommand.Expire c) {
        LeaseState l = d.leases.get(c.lease());
        if (l == null) {
            return Draft.unknown("lease", c.lease());
        }
        if (!l.current(c.fence()) || l.renewal() != c.lastRenewal()) {
            return Draft.refused(
                    Refusal.CHANGED,
                    c.lease() + " was renewed at " + l.renewal() + " with the fence " + l.fence()
                            + (l.free() ? ", and is free" : ""));
        }
        end(d, l, Leases.EXPIRED);
        return d.ok();
    }

    private static Answer record(Draft d, LeaseCommand.Recorded c) {
        Answer refusal = ownerRefused(d, c.lease(), c.owner(), c.incarnation());
        if (refusal != null) {
            return refusal;
        }
        LeaseState now = d.leases.get(c.lease());
        if (now != null && now.current(c.fence()) && now.heldBy(c.owner(), c.incarnation())) {
            return new Answer.Granted(c.fence());
        }
        if (now != null && c.fence().compareTo(now.fence()) <= 0) {
            return Draft.refused(
                    Refusal.STALE_FENCE,
                    c.lease() + " had the fence " + now.fence() + " already, not below " + c.fence());
        }
        if (now != null && !now.free()) {
            end(d, now, "the database gave it to " + c.owner());
        }
        var request = new LeaseCommand.Acquire(c.lease(), c.owner(), c.incarnation(), 0);
        refusal = notPlaced(d, c.lease(), c.owner(), c.incarnation());
        return refusal == null ? grant(d, d.leases.get(c.lease()), request, c.fence()) : seen(d, c, refusal);
    }

    /** The fence was given out by the database, so nobody with a lower one has the lease, though this one is not given it. */
    private static Answer seen(Draft d, LeaseCommand.Recorded c, Answer refusal) {
        LeaseState l = d.leases.get(c.lease());
        if (l == null && d.leases.size() >= Limits.LEASES) {
            return Draft.full("leases", Limits.LEASES);
        }
        long transitions = l == null ? 0 : l.transitions();
        d.leases.put(c.lease(), new LeaseState(c.lease(), null, c.incarnation(), 0, c.fence(), d.index, transitions));
        return refusal;
    }

    /** Ends all leases of a member's former life. */
    static void endAll(Draft d, String member, long incarnation, String reason) {
        for (LeaseState l : List.copyOf(d.leases.view().values())) {
            if (l.heldBy(member, incarnation)) {
                end(d, l, reason);
            }
        }
    }

    /** Ends a lease that is held, with all that stood under it. */
    static void end(Draft d, LeaseState lease, String reason) {
        String owner = "" + lease.owner();
        d.leases.put(lease.name(), lease.freed());
        d.tell(new Event.LeaseEnded(lease.name(), owner, lease.incarnation(), lease.fence(), reason));
        Naming.drop(d, lease.name());
        String member = Leases.member(lease.name());
        String singleton = Leases.singleton(lease.name());
        if (member != null) {
            Membership.gone(d, member, lease.fence(), reason);
        } else if (singleton != null) {
            Singletons.leaseEnded(d, singleton, lease, reason);
        } else {
            d.record(What.LEASE, lease.name(), owner, "", lease.fence(), reason);
        }
    }
}
