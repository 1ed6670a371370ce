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
 * The singletons while an entry is applied: where each is, and the one way in which that changes. Confined to the application
 * of one entry.
 */
public final class SingletonTable {
    private final Draft draft;
    private final DraftTable<SingletonState> singletons;
    private final MemberRules members;

    /** Over what the entry finds. */
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

    /** All as they are at this moment; not to be kept beyond the next change. */
    public SortedMap<String, SingletonState> view() {
        return singletons.view();
    }

    /** For the next state. */
    public SortedMap<String, SingletonState> done() {
        return singletons.done();
    }

    /** Stores it without an event or a line: what is seen of it follows within the same entry. */
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
     * Chooses a member anew and changes to what follows: PLACED, UNPLACED when none is up, WAITING or FAILED when it failed on
     * each.
     *
     * @param s with the memory of failures that counts, its phase no matter
     * @param favoured goes first if it may; null for none
     */
    public void place(SingletonState s, String reason, @Nullable String favoured) {
        place(singletons.get(s.name()), s, reason, favoured);
    }

    /**
     * Chooses a member for one that is placed nowhere. The reason of a placement is the occasion: why it was nowhere is over
     * then. While it stays nowhere, the reason why stays, too.
     */
    void placeAnew(SingletonState s, String occasion) {
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

    /** The one transition: stores, emits the event, and writes the line of history. */
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

    /** The refusal of a conditional command when the singleton is not in that phase and version. */
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
