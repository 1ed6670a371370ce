package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.Transition.What;
import org.jspecify.annotations.Nullable;

/** The rules of joining, leaving, and being alive. Pure but for the draft that they change. */
final class Membership {
    private Membership() {}

    static Answer apply(Draft d, MemberCommand command) {
        return switch (command) {
            case MemberCommand.Join c -> join(d, c);
            case MemberCommand.Leave c -> leave(d, c);
            case MemberCommand.Remove c -> remove(d, c);
            case MemberCommand.TookOver c -> tookOver(d, c);
            case MemberCommand.BootDelayOver c -> bootDelayOver(d, c);
            case MemberCommand.RaiseEpoch c -> raiseEpoch(d, c);
            case MemberCommand.Configures c -> configures(d, c);
        };
    }

    private static Answer join(Draft d, MemberCommand.Join c) {
        MemberState before = d.members.get(c.member());
        Answer refusal = joinRefused(d, c, before);
        if (refusal != null) {
            return refusal;
        }
        if (before != null && before.incarnation() == c.incarnation()) {
            return d.ok();
        }
        MemberState now =
                new MemberState(c.member(), c.incarnation(), c.storage(), c.address(), c.witness(), d.index, false);
        d.members.put(c.member(), now);
        d.tell(new Event.MemberChanged(c.member(), before, now));
        d.record(What.MEMBER, c.member(), "", "joined", Fence.NONE, "its server started at " + c.address());
        if (before != null && before.storage().equals(c.storage())) {
            Leasing.endAll(d, c.member(), before.incarnation(), c.member() + " started anew");
        }
        Singletons.forgive(d, c.member());
        return d.ok();
    }

    private static @Nullable Answer joinRefused(Draft d, MemberCommand.Join c, @Nullable MemberState before) {
        if (before == null) {
            return d.members.size() < Limits.MEMBERS ? null : Draft.full("members", Limits.MEMBERS);
        }
        boolean another =
                before.incarnation() != c.incarnation() && !before.storage().equals(c.storage());
        if (another && d.peek().owner(Leases.ofMember(c.member())) != null) {
            return Draft.refused(
                    Refusal.NAME_TAKEN,
                    "a server with another data directory is member " + c.member() + ", at " + before.address()
                            + ": stop it, or wait until its lease has ended, or give this one a name of its own");
        }
        return null;
    }

    private static Answer leave(Draft d, MemberCommand.Leave c) {
        MemberState m = d.members.get(c.member());
        if (m == null) {
            return Draft.unknown("member", c.member());
        }
        if (m.incarnation() != c.incarnation()) {
            return stale(m);
        }
        if (!m.leaving()) {
            MemberState now = m.leavingNow();
            d.members.put(m.name(), now);
            d.tell(new Event.MemberChanged(m.name(), m, now));
            d.record(What.MEMBER, m.name(), "", "leaving", Fence.NONE, "it shuts down in order");
            Singletons.moveAllFrom(d, m.name(), m.name() + " shuts down");
        }
        return d.ok();
    }

    private static Answer remove(Draft d, MemberCommand.Remove c) {
        MemberState m = d.members.get(c.member());
        if (m == null) {
            return d.ok();
        }
        if (d.peek().alive(c.member())) {
            return Draft.refused(Refusal.MEMBER_UP, c.member() + " is alive: shut it down first, then remove it");
        }
        d.members.remove(c.member());
        d.tell(new Event.MemberChanged(c.member(), m, null));
        d.configurations.remove(c.member());
        String why = c.reason().isEmpty() ? "" : ": " + c.reason();
        d.record(What.MEMBER, c.member(), "", "removed", Fence.NONE, "an operator removed it" + why);
        Singletons.forgive(d, c.member());
        Deployments.withoutSource(d, c.member());
        return d.ok();
    }

    private static Answer configures(Draft d, MemberCommand.Configures c) {
        MemberState m = d.members.get(c.member());
        if (m == null) {
            return Draft.unknown("member", c.member());
        }
        if (m.incarnation() != c.incarnation()) {
            return stale(m);
        }
        d.configurations.put(c.member(), new Configuration(c.member(), c.incarnation(), c.singletons(), c.timers()));
        return d.ok();
    }

    private static Answer tookOver(Draft d, MemberCommand.TookOver c) {
        d.tookOver = d.index;
        d.record(What.CLUSTER, "leader", "", c.member(), Fence.NONE, "leads the log in term " + c.term());
        if (c.booting()) {
            d.boot = new BootDelay(true, d.index);
            d.tell(new Event.BootDelayChanged(d.boot));
        }
        return d.ok();
    }

    private static Answer bootDelayOver(Draft d, MemberCommand.BootDelayOver c) {
        if (!d.boot.pending()) {
            return d.ok();
        }
        if (d.boot.version() != c.version()) {
            return Draft.refused(Refusal.CHANGED, "the delay of now began at " + d.boot.version());
        }
        placementBegins(d, "the initial boot delay is over");
        return d.ok();
    }

    private static void placementBegins(Draft d, String reason) {
        d.boot = new BootDelay(false, d.boot.version());
        d.tell(new Event.BootDelayChanged(d.boot));
        d.record(What.CLUSTER, "placement", "", "begins", Fence.NONE, reason);
        Singletons.placeAll(d);
    }

    private static Answer raiseEpoch(Draft d, MemberCommand.RaiseEpoch c) {
        if (c.epoch() <= d.epoch) {
            return Draft.refused(Refusal.CHANGED, "the epoch is " + d.epoch + " already");
        }
        for (LeaseState l : d.leases.view().values()) {
            if (!l.free() && Leases.member(l.name()) == null) {
                // its holder takes it for valid until it hears otherwise: ended here, another could hold it meanwhile
                return Draft.refused(
                        Refusal.BUSY, l.name() + " is held by " + l.owner() + ": the epoch of a running cluster stays");
            }
        }
        d.record(What.CLUSTER, "epoch", "" + d.epoch, "" + c.epoch(), Fence.NONE, "the basis of leasing changed");
        d.epoch = c.epoch();
        return d.ok();
    }

    /** The member's lease was acquired. */
    static void alive(Draft d, String member, Fence fence) {
        d.record(What.MEMBER, member, "", "alive", fence, "it acquired its lease");
        if (d.peek().eligible(member)) {
            Singletons.arrived(d, member);
        }
    }

    /**
     * The member's lease was renewed. One that had renewed it before the log's leader took over shows that the cluster was
     * running; one that had only acquired it does not: at the start of all, members may be quicker than the leader.
     *
     * @param life the member's lease as it was before
     */
    static void renewed(Draft d, String member, LeaseState life) {
        long before = life.renewal();
        MemberState m = d.members.get(member);
        boolean lived = before > life.fence().counter() && before < d.boot.version();
        if (m != null && d.boot.pending() && m.joined() < d.boot.version() && lived) {
            placementBegins(d, member + " was there before the log's leader: the cluster was running");
        } else if (before < d.tookOver && d.peek().eligible(member)) {
            Singletons.arrived(d, member);
        }
    }

    /** The member's lease ended. */
    static void gone(Draft d, String member, Fence fence, String reason) {
        d.record(What.MEMBER, member, "alive", "gone", fence, reason);
        Singletons.departed(d, member, reason);
    }

    static Answer stale(MemberState m) {
        return Draft.refused(
                Refusal.STALE_INCARNATION, m.name() + " started anew since, as " + Long.toHexString(m.incarnation()));
    }
}
