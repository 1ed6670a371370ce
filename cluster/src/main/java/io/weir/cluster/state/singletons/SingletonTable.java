package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition.What;
import io.weir.cluster.state.members.MemberRules;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The singletons while an entry is applied, and the only way to change them. Confined to the application of one entry.
 */
public final class SingletonTable {
    private final Draft draft;
    private final DraftTable<SingletonState> singletons;
    private final MemberRules members;

    /** Starts from the state before the entry. */
    public SingletonTable(Draft draft, SortedMap<String, SingletonState> before, MemberRules members) {
        this.draft = draft;
        this.singletons = new DraftTable<>(before);
        this.members = members;
    }

    public @Nullable SingletonState get(String name) {
        return singletons.get(name);
    }

    public int size() {
        return singletons.size();
    }

    /** A view of all singletons; must not be used after the next change. */
    public SortedMap<String, SingletonState> view() {
        return singletons.view();
    }

    /** The result for the next state. */
    public SortedMap<String, SingletonState> done() {
        return singletons.done();
    }

    /** Stores it without an event or a line of history: the visible change follows within the same entry. */
    void put(SingletonState s) {
        singletons.put(s.name(), s);
    }

    void remove(String name) {
        singletons.remove(name);
    }

    void each(Predicate<SingletonState> which, Consumer<SingletonState> what) {
        for (String name : List.copyOf(singletons.view().keySet())) {
            SingletonState s = singletons.get(name);
            if (s != null && which.test(s)) {
                what.accept(s);
            }
        }
    }

    /**
     * Chooses a member and changes the phase accordingly: PLACED, UNPLACED if no candidate is up, WAITING or FAILED if
     * it failed on each.
     *
     * @param s with the relevant record of failures; its phase is ignored
     * @param favoured chosen first if possible; null for none
     */
    public void place(SingletonState s, String reason, @Nullable String favoured) {
        place(singletons.get(s.name()), s, reason, favoured);
    }

    /**
     * Chooses a member for an unplaced singleton. If one is found, the occasion becomes its reason; otherwise it keeps
     * its reason.
     */
    void placeUnplaced(SingletonState s, String occasion) {
        boolean found = !members.boot().pending() && choose(s, null).member() != null;
        place(s, found ? occasion : s.reason(), null);
    }

    void place(@Nullable SingletonState before, SingletonState s, String reason, @Nullable String favoured) {
        if (members.boot().pending()) {
            change(before, s.nowhere(Phase.UNPLACED, reason));
            return;
        }
        Placement.Choice choice = choose(s, favoured);
        if (choice.member() != null) {
            change(before, s.placed(choice.member(), members.incarnation(choice.member()), reason));
        } else if (choice.exhausted()) {
            change(before, circuitOver(s, reason));
        } else {
            change(before, s.nowhere(Phase.UNPLACED, reason));
        }
    }

    Placement.Choice choose(SingletonState s, @Nullable String favoured) {
        return Placement.choose(members.liveness(), singletons.view(), s, favoured);
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

    /** The only transition: stores the state, emits the event, and writes the line of history. */
    void change(@Nullable SingletonState before, SingletonState next) {
        SingletonState after = next.versioned(draft.index());
        singletons.put(after.name(), after);
        draft.emit(new SingletonChanged(after.name(), before, after));
        boolean moved =
                before == null || before.phase() != after.phase() || !Objects.equals(before.member(), after.member());
        if (moved && after.phase() != Phase.ACTIVATING) {
            Fence fence = after.running() ? after.fence() : Fence.NONE;
            String from = before == null ? "" : before.place();
            draft.record(What.SINGLETON, after.name(), from, after.place(), fence, after.reason());
        }
    }

    /** The refusal of a conditional command if the singleton is not in that phase and version; otherwise null. */
    static @Nullable Answer unlessAt(@Nullable SingletonState s, String name, long version, Phase phase) {
        if (s == null) {
            return Draft.unknown("singleton", name);
        }
        if (s.version() != version || s.phase() != phase) {
            return Draft.refused(Refusal.CHANGED, name + " is " + s.place() + " since " + s.version());
        }
        return null;
    }
}
