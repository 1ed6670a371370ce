package io.weir.cluster.state.singletons;

import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition.What;
import io.weir.cluster.state.leases.LeaseRules;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.members.MemberRules;
import io.weir.cluster.state.members.MemberState;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules of singletons' lives: what follows from leases, members, failures and time-outs; operators' commands stand in
 * {@link PlannedMoves}, definitions in {@link SingletonDefinitions}. Pure but for what they change; confined to the application
 * of one entry.
 */
public final class SingletonRules {
    private final Draft draft;
    private final SingletonTable singletons;
    private final SingletonDefinitions definitions;
    private final PlannedMoves moves;
    private final MemberRules members;
    private final LeaseRules leases;

    /** Over what the entry finds. */
    public SingletonRules(
            Draft draft,
            SingletonTable singletons,
            SingletonDefinitions definitions,
            MemberRules members,
            LeaseRules leases) {
        this.draft = draft;
        this.singletons = singletons;
        this.definitions = definitions;
        this.moves = new PlannedMoves(draft, singletons, members, leases);
        this.members = members;
        this.leases = leases;
    }

    public Answer apply(SingletonCommand command) {
        return switch (command) {
            case SingletonCommand.Define c -> definitions.define(c.spec());
            case SingletonCommand.Undefine c -> definitions.undefine(c.name(), "gone from the configuration");
            case SingletonCommand.Forget c -> definitions.forget(c);
            case SingletonCommand.Activated c -> activated(c);
            case SingletonCommand.ActivationFailed c -> failed(c);
            case SingletonCommand.NotTaken c -> notTaken(c);
            case SingletonCommand.RetryNow c -> retry(c);
            case SingletonCommand.FailBack c -> moves.failBack(c);
            case SingletonCommand.Migrate c -> moves.migrate(c);
            case SingletonCommand.Pause c -> moves.pause(c);
            case SingletonCommand.Resume c -> moves.resume(c);
        };
    }

    private Answer activated(SingletonCommand.Activated c) {
        SingletonState s = singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        Answer refusal = leases.fenced(s.lease(), c.fence(), "activation of " + c.name());
        if (refusal != null) {
            return refusal;
        }
        if (!s.running()) {
            return Draft.refused(Refusal.CHANGED, c.name() + " is " + s.place() + " by now: " + s.reason());
        }
        if (s.phase() == Phase.ACTIVATING) {
            singletons.change(s, s.active(c.nanos()));
            moves.failBackAtOnce(s.name());
        }
        return draft.ok();
    }

    private Answer failed(SingletonCommand.ActivationFailed c) {
        SingletonState s = singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        Answer refusal = leases.fenced(s.lease(), c.fence(), "failed activation of " + c.name());
        if (refusal != null) {
            return refusal;
        }
        String why = "activation failed on " + s.member() + ": " + c.reason();
        boolean counts = s.running();
        if (counts) {
            // so that its lease's end does not count as a loss beside the failure
            singletons.put(s.nowhere(Phase.UNPLACED, why));
        }
        LeaseState lease = leases.get(s.lease());
        if (lease != null) {
            leases.end(lease, "activation failed");
        }
        if (counts) {
            singletons.place(s, blamed(s), why, null);
        }
        return draft.ok();
    }

    /** Remembers that it failed on the member where it is. */
    private SingletonState blamed(SingletonState s) {
        String member = "" + s.member();
        SortedSet<String> tried = new TreeSet<>(s.tried());
        tried.add(member);
        MemberState m = members.get(member);
        long failedThere = m != null && member.equals(s.spec().preferred()) ? m.incarnation() : s.preferredFailure();
        return s.remembering(s.origin() == null ? member : s.origin(), tried, s.circuits(), failedThere);
    }

    private Answer notTaken(SingletonCommand.NotTaken c) {
        SingletonState s = singletons.get(c.name());
        Answer refusal = SingletonTable.unlessAt(s, c.name(), c.version(), Phase.PLACED);
        if (s == null || refusal != null) {
            return refusal == null ? Draft.unknown("singleton", c.name()) : refusal;
        }
        if (leases.owner(s.lease()) != null) {
            return Draft.refused(Refusal.BUSY, s.lease() + " is still held: it cannot be taken");
        }
        singletons.place(s, blamed(s), s.member() + " did not take it in time", null);
        return draft.ok();
    }

    private Answer retry(SingletonCommand.RetryNow c) {
        SingletonState s = singletons.get(c.name());
        Answer refusal = SingletonTable.unlessAt(s, c.name(), c.version(), Phase.WAITING);
        if (s == null || refusal != null) {
            return refusal == null ? Draft.unknown("singleton", c.name()) : refusal;
        }
        SingletonState again = s.remembering(s.origin(), SingletonState.NOBODY, s.circuits(), s.preferredFailure());
        singletons.place(again, "circuit " + (s.circuits() + 1) + " begins", null);
        return draft.ok();
    }

    /** Why its lease is not for this member now; null when it is. */
    public @Nullable Answer notPlaced(String name, String owner, long incarnation) {
        SingletonState s = singletons.get(name);
        if (s == null) {
            return Draft.unknown("singleton", name);
        }
        return s.placedOn(owner, incarnation)
                ? null
                : Draft.refused(Refusal.NOT_PLACED, name + " is " + s.place() + ", not placed on " + owner);
    }

    /** Its lease was acquired by the member on which it is placed. */
    public void acquired(String name, LeaseState lease) {
        SingletonState s = singletons.get(name);
        if (s != null) {
            singletons.change(s, s.activating(lease.fence()));
        }
    }

    /** Its lease ended, having been held as given. */
    public void leaseEnded(String name, LeaseState lease, String reason) {
        SingletonState s = singletons.get(name);
        if (s == null) {
            // it was taken away while it was active: this is the end of that
            draft.record(
                    What.SINGLETON,
                    name,
                    "was on " + lease.owner(),
                    "",
                    lease.fence(),
                    "gone: its lease was " + reason);
        } else if (s.running() && s.fence().equals(lease.fence())) {
            String why = "its lease on " + s.member() + " ended: " + reason;
            SingletonState lost = s.remembering(
                    s.origin() == null ? s.member() : s.origin(), s.tried(), s.circuits(), s.preferredFailure());
            singletons.place(lost, why, null);
        }
    }

    /** The member is there for singletons. */
    public void arrived(String member) {
        String occasion = member + " has come up";
        singletons.each(s -> s.phase() == Phase.UNPLACED, s -> singletons.placeAnew(s, occasion));
        reconsider(occasion);
        singletons.each(s -> member.equals(s.spec().preferred()), s -> moves.failBackAtOnce(s.name()));
    }

    /** The member is gone: what was only placed there goes elsewhere; what has a lease waits for that to end. */
    public void departed(String member, String reason) {
        singletons.each(
                s -> s.phase() == Phase.PLACED && member.equals(s.member()),
                s -> singletons.place(s, member + " is gone: " + reason, null));
        reconsider(member + " is gone: " + reason);
    }

    /** The member leaves in order: everything there moves while it still can deactivate it. */
    public void moveAllFrom(String member, String reason) {
        singletons.each(s -> member.equals(s.member()), s -> singletons.place(s.fresh(), reason, null));
        reconsider(reason);
    }

    /**
     * Who may run something has changed: what waits for its next circuit is tried at once where it was not in this one. That
     * may be whom it came from, who is spared while there are others. The circuit goes on with that one: should it fail there,
     * too, it was one circuit all the same, however many come up meanwhile.
     */
    private void reconsider(String reason) {
        singletons.each(
                s -> s.phase() == Phase.WAITING
                        && !s.tried().containsAll(Placement.destinations(members.liveness(), s)),
                s -> singletons.place(goingOn(s), reason, null));
    }

    private static SingletonState goingOn(SingletonState s) {
        return s.remembering(s.origin(), s.tried(), Math.max(0, s.circuits() - 1), s.preferredFailure());
    }

    /** A member began a new life: what failed in the former says nothing about this one. */
    public void forgive(String member) {
        singletons.each(s -> member.equals(s.origin()) || s.tried().contains(member), s -> {
            SortedSet<String> tried = new TreeSet<>(s.tried());
            tried.remove(member);
            String origin = member.equals(s.origin()) ? null : s.origin();
            singletons.change(s, s.remembering(origin, tried, s.circuits(), s.preferredFailure()));
        });
    }

    /** Placement begins. */
    public void placeAll() {
        String occasion = "placement begins";
        singletons.each(s -> s.phase() == Phase.UNPLACED, s -> singletons.placeAnew(s, occasion));
        reconsider(occasion);
    }
}
