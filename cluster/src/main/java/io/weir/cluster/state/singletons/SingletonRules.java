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
 * The rules of singletons: the consequences of leases, members, failures and time-outs; operators' commands are in
 * {@link PlannedMoves}, definitions in {@link SingletonDefinitions}. Pure except for their changes to the draft;
 * confined to the application of one entry.
 */
public final class SingletonRules {
    private final Draft draft;
    private final SingletonTable singletons;
    private final SingletonDefinitions definitions;
    private final PlannedMoves moves;
    private final MemberRules members;
    private final LeaseRules leases;

    /** Starts from the state before the entry. */
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
            // so that the end of its lease is not counted as a loss in addition to the failure
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

    /** Records the failure on its current member. */
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
        SingletonState again = s.remembering(s.origin(), SingletonState.NO_MEMBERS, s.circuits(), s.preferredFailure());
        singletons.place(again, "circuit " + (s.circuits() + 1) + " begins", null);
        return draft.ok();
    }

    /** Why this member may not acquire its lease; null if it may. */
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

    /** Its lease ended; {@code lease} is the state before. */
    public void leaseEnded(String name, LeaseState lease, String reason) {
        SingletonState s = singletons.get(name);
        if (s == null) {
            // it was removed while it was active, and has now stopped
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

    /** Singletons may be placed on the member. */
    public void arrived(String member) {
        String occasion = member + " has come up";
        singletons.each(s -> s.phase() == Phase.UNPLACED, s -> singletons.placeUnplaced(s, occasion));
        reconsider(occasion);
        singletons.each(s -> member.equals(s.spec().preferred()), s -> moves.failBackAtOnce(s.name()));
    }

    /** The member is gone: singletons that were only placed there move; those with a lease wait for its end. */
    public void departed(String member, String reason) {
        singletons.each(
                s -> s.phase() == Phase.PLACED && member.equals(s.member()),
                s -> singletons.place(s, member + " is gone: " + reason, null));
        reconsider(member + " is gone: " + reason);
    }

    /** The member shuts down gracefully: its singletons move while it can still deactivate them. */
    public void moveAllFrom(String member, String reason) {
        singletons.each(s -> member.equals(s.member()), s -> singletons.place(s.fresh(), reason, null));
        reconsider(reason);
    }

    /**
     * The set of possible members changed: singletons waiting for their next circuit are tried immediately on members
     * that were not tried in this one. That may be the origin of the migration, which is skipped while there are
     * others. The circuit continues: a failure there is counted in the same circuit, however many members come up.
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

    /** A member restarted: failures on its former incarnation are cleared. */
    public void forgive(String member) {
        singletons.each(s -> member.equals(s.origin()) || s.tried().contains(member), s -> {
            SortedSet<String> tried = new TreeSet<>(s.tried());
            tried.remove(member);
            String origin = member.equals(s.origin()) ? null : s.origin();
            singletons.change(s, s.remembering(origin, tried, s.circuits(), s.preferredFailure()));
        });
    }

    /** Placement begins: places all unplaced singletons. */
    public void placeAll() {
        String occasion = "placement begins";
        singletons.each(s -> s.phase() == Phase.UNPLACED, s -> singletons.placeUnplaced(s, occasion));
        reconsider(occasion);
    }
}
