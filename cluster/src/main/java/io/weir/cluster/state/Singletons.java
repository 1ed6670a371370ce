package io.weir.cluster.state;

import io.weir.base.Fence;
import io.weir.cluster.state.Transition.What;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules of singletons' lives: what follows from leases, members, failures and time-outs; operators' commands stand in
 * {@link Operations}, definitions in {@link Definitions}. Pure but for the draft that they change.
 */
final class Singletons {
    private Singletons() {}

    static Answer apply(Draft d, SingletonCommand command) {
        return switch (command) {
            case SingletonCommand.Define c -> Definitions.define(d, c.spec());
            case SingletonCommand.Undefine c -> Definitions.undefine(d, c.name(), "gone from the configuration");
            case SingletonCommand.Forget c -> Definitions.forget(d, c);
            case SingletonCommand.Activated c -> activated(d, c);
            case SingletonCommand.ActivationFailed c -> failed(d, c);
            case SingletonCommand.NotTaken c -> notTaken(d, c);
            case SingletonCommand.RetryNow c -> retry(d, c);
            case SingletonCommand.FailBack c -> Operations.failBack(d, c);
            case SingletonCommand.Migrate c -> Operations.migrate(d, c);
            case SingletonCommand.Pause c -> Operations.pause(d, c);
            case SingletonCommand.Resume c -> Operations.resume(d, c);
        };
    }

    private static Answer activated(Draft d, SingletonCommand.Activated c) {
        SingletonState s = d.singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        Answer refusal = d.fenced(s.lease(), c.fence(), "activation of " + c.name());
        if (refusal != null) {
            return refusal;
        }
        if (!s.running()) {
            return Draft.refused(Refusal.CHANGED, c.name() + " is " + place(s) + " by now: " + s.reason());
        }
        if (s.phase() == Phase.ACTIVATING) {
            change(d, s, s.active(c.nanos()));
            Operations.failBackAtOnce(d, s.name());
        }
        return d.ok();
    }

    private static Answer failed(Draft d, SingletonCommand.ActivationFailed c) {
        SingletonState s = d.singletons.get(c.name());
        if (s == null) {
            return Draft.unknown("singleton", c.name());
        }
        Answer refusal = d.fenced(s.lease(), c.fence(), "failed activation of " + c.name());
        if (refusal != null) {
            return refusal;
        }
        String why = "activation failed on " + s.member() + ": " + c.reason();
        boolean counts = s.running();
        if (counts) {
            // so that its lease's end does not count as a loss beside the failure
            d.singletons.put(c.name(), s.nowhere(Phase.UNPLACED, why));
        }
        LeaseState lease = d.leases.get(s.lease());
        if (lease != null) {
            Leasing.end(d, lease, "activation failed");
        }
        if (counts) {
            place(d, s, blamed(d, s), why, null);
        }
        return d.ok();
    }

    /** Remembers that it failed on the member where it is. */
    private static SingletonState blamed(Draft d, SingletonState s) {
        String member = "" + s.member();
        SortedSet<String> tried = new TreeSet<>(s.tried());
        tried.add(member);
        MemberState m = d.members.get(member);
        long failedThere = m != null && member.equals(s.spec().preferred()) ? m.incarnation() : s.preferredFailure();
        return s.remembering(s.origin() == null ? member : s.origin(), tried, s.circuits(), failedThere);
    }

    private static Answer notTaken(Draft d, SingletonCommand.NotTaken c) {
        SingletonState s = d.singletons.get(c.name());
        Answer refusal = unlessAt(s, c.name(), c.version(), Phase.PLACED);
        if (s == null || refusal != null) {
            return refusal == null ? Draft.unknown("singleton", c.name()) : refusal;
        }
        if (d.peek().owner(s.lease()) != null) {
            return Draft.refused(Refusal.BUSY, s.lease() + " is still held: it cannot be taken");
        }
        place(d, s, blamed(d, s), s.member() + " did not take it in time", null);
        return d.ok();
    }

    private static Answer retry(Draft d, SingletonCommand.RetryNow c) {
        SingletonState s = d.singletons.get(c.name());
        Answer refusal = unlessAt(s, c.name(), c.version(), Phase.WAITING);
        if (s == null || refusal != null) {
            return refusal == null ? Draft.unknown("singleton", c.name()) : refusal;
        }
        SingletonState again = s.remembering(s.origin(), SingletonState.NOBODY, s.circuits(), s.preferredFailure());
        place(d, again, "circuit " + (s.circuits() + 1) + " begins", null);
        return d.ok();
    }

    /** The refusal of a conditional command when the singleton is not in that phase and version. */
    static @Nullable Answer unlessAt(@Nullable SingletonState s, String name, long version, Phase phase) {
        if (s == null) {
            return Draft.unknown("singleton", name);
        }
        if (s.version() != version || s.phase() != phase) {
            return Draft.refused(Refusal.CHANGED, name + " is " + place(s) + " since " + s.version());
        }
        return null;
    }

    /** Its lease was acquired by the member on which it is placed. */
    static void acquired(Draft d, String name, LeaseState lease) {
        SingletonState s = d.singletons.get(name);
        if (s != null) {
            change(d, s, s.activating(lease.fence()));
        }
    }

    /** Its lease ended, having been held as given. */
    static void leaseEnded(Draft d, String name, LeaseState lease, String reason) {
        SingletonState s = d.singletons.get(name);
        if (s == null) {
            // it was taken away while it was active: this is the end of that
            d.record(
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
            place(d, lost, why, null);
        }
    }

    /** The member is there for singletons. */
    static void arrived(Draft d, String member) {
        each(d, s -> s.phase() == Phase.UNPLACED, s -> place(d, s, s.reason(), null));
        reconsider(d, member + " has come up");
        each(d, s -> member.equals(s.spec().preferred()), s -> Operations.failBackAtOnce(d, s.name()));
    }

    /** The member is gone: what was only placed there goes elsewhere; what has a lease waits for that to end. */
    static void departed(Draft d, String member, String reason) {
        each(
                d,
                s -> s.phase() == Phase.PLACED && member.equals(s.member()),
                s -> place(d, s, member + " is gone: " + reason, null));
        reconsider(d, member + " is gone: " + reason);
    }

    /** The member leaves in order: everything there moves while it still can deactivate it. */
    static void moveAllFrom(Draft d, String member, String reason) {
        each(d, s -> member.equals(s.member()), s -> place(d, s.fresh(), reason, null));
        reconsider(d, reason);
    }

    /**
     * Who may run something has changed: what waits for its next circuit is tried at once where it was not in this one. That
     * may be whom it came from, who is spared while there are others. The circuit goes on with that one: should it fail there,
     * too, it was one circuit all the same, however many come up meanwhile.
     */
    private static void reconsider(Draft d, String reason) {
        each(
                d,
                s -> s.phase() == Phase.WAITING && !s.tried().containsAll(Placement.destinations(d.peek(), s)),
                s -> place(d, goingOn(s), reason, null));
    }

    private static SingletonState goingOn(SingletonState s) {
        return s.remembering(s.origin(), s.tried(), Math.max(0, s.circuits() - 1), s.preferredFailure());
    }

    /** A member began a new life: what failed in the former says nothing about this one. */
    static void forgive(Draft d, String member) {
        each(d, s -> member.equals(s.origin()) || s.tried().contains(member), s -> {
            SortedSet<String> tried = new TreeSet<>(s.tried());
            tried.remove(member);
            String origin = member.equals(s.origin()) ? null : s.origin();
            change(d, s, s.remembering(origin, tried, s.circuits(), s.preferredFailure()));
        });
    }

    /** Placement begins. */
    static void placeAll(Draft d) {
        each(d, s -> s.phase() == Phase.UNPLACED, s -> place(d, s, s.reason(), null));
        reconsider(d, "placement begins");
    }

    private static void each(Draft d, Predicate<SingletonState> which, Consumer<SingletonState> what) {
        for (String name : List.copyOf(d.singletons.view().keySet())) {
            SingletonState s = d.singletons.get(name);
            if (s != null && which.test(s)) {
                what.accept(s);
            }
        }
    }

    /**
     * Chooses a member anew and changes to what follows: PLACED, UNPLACED when none is up, WAITING or FAILED when it failed on
     * each.
     *
     * @param s with the memory of failures that counts, its phase no matter
     * @param favoured goes first if it may; null for none
     */
    static void place(Draft d, SingletonState s, String reason, @Nullable String favoured) {
        place(d, d.singletons.get(s.name()), s, reason, favoured);
    }

    private static void place(
            Draft d, @Nullable SingletonState before, SingletonState s, String reason, @Nullable String favoured) {
        if (d.boot.pending()) {
            change(d, before, s.nowhere(Phase.UNPLACED, reason));
            return;
        }
        ClusterState others = withoutOne(d, s.name());
        Placement.Choice choice = Placement.choose(others, s, favoured);
        if (choice.member() != null) {
            MemberState m = d.members.get(choice.member());
            change(d, before, s.placed(choice.member(), m == null ? 0 : m.incarnation(), reason));
        } else if (choice.exhausted()) {
            change(d, before, circuitOver(s, reason));
        } else {
            change(d, before, s.nowhere(Phase.UNPLACED, reason));
        }
    }

    /** The state as the choice is to see it: this singleton counts for no member. */
    private static ClusterState withoutOne(Draft d, String name) {
        SingletonState now = d.singletons.get(name);
        if (now == null || now.member() == null) {
            return d.peek();
        }
        Table<SingletonState> others = new Table<>(d.singletons.view());
        others.remove(name);
        return d.peek(others.view());
    }

    private static SingletonState circuitOver(SingletonState s, String reason) {
        int over = s.circuits() + 1;
        SingletonState counted = s.remembering(s.origin(), s.tried(), over, s.preferredFailure());
        return over > s.spec().additionalAttempts()
                ? counted.nowhere(
                        Phase.FAILED,
                        "failed on every candidate, and circuit " + over + " was the last; last: " + reason)
                : counted.nowhere(Phase.WAITING, "failed on every candidate; last: " + reason);
    }

    /** The one transition: stores, tells, and writes the line of history. */
    static void change(Draft d, @Nullable SingletonState before, SingletonState next) {
        SingletonState after = next.versioned(d.index);
        d.singletons.put(after.name(), after);
        d.tell(new Event.SingletonChanged(after.name(), before, after));
        boolean moved = before == null
                || before.phase() != after.phase()
                || !java.util.Objects.equals(before.member(), after.member());
        if (moved && after.phase() != Phase.ACTIVATING) {
            Fence fence = after.running() ? after.fence() : Fence.NONE;
            String from = before == null ? "" : place(before);
            d.record(What.SINGLETON, after.name(), from, place(after), fence, after.reason());
        }
    }

    /** Its phase and member, as a person says it: {@code active on a}. */
    static String place(SingletonState s) {
        String phase = s.phase().name().toLowerCase(java.util.Locale.ROOT);
        return s.member() == null ? phase : phase + " on " + s.member();
    }
}
