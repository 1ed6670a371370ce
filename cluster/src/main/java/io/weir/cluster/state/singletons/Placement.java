package io.weir.cluster.state.singletons;

import io.weir.cluster.state.members.Liveness;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a singleton goes: the preferred server, then the candidate with the fewest singletons, then by name. A member on
 * which it failed in this circuit is no destination, nor is the one where the migration began as long as another is up
 * (WebLogic: the original server is never a valid destination). Pure.
 */
public final class Placement {
    private Placement() {}

    /**
     * The outcome of a choice.
     *
     * @param member null: nowhere
     * @param exhausted candidates are up, but it failed on each of them in this circuit
     */
    record Choice(@Nullable String member, boolean exhausted) {}

    /**
     * Chooses.
     *
     * @param favoured goes first if it may, before the preferred server; null for none
     */
    static Choice choose(
            Liveness live, SortedMap<String, SingletonState> all, SingletonState s, @Nullable String favoured) {
        List<String> destinations = destinations(live, s);
        List<String> left = new ArrayList<>(destinations);
        left.removeAll(s.tried());
        if (left.isEmpty()) {
            return new Choice(null, !destinations.isEmpty());
        }
        if (favoured != null && left.contains(favoured)) {
            return new Choice(favoured, false);
        }
        String preferred = s.spec().preferred();
        if (preferred != null && left.contains(preferred)) {
            return new Choice(preferred, false);
        }
        Map<String, Integer> load = load(all.values());
        SingletonState itself = all.get(s.name());
        if (itself != null && itself.member() != null) {
            // it counts for no member
            load.merge(itself.member(), -1, Integer::sum);
        }
        Comparator<String> fewest = Comparator.comparingInt(m -> load.getOrDefault(m, 0));
        left.sort(fewest.thenComparing(Comparator.naturalOrder()));
        return new Choice(left.getFirst(), false);
    }

    /** Candidates that are up, in the order of their names; without the origin where that leaves any. */
    public static List<String> destinations(Liveness live, SingletonState s) {
        List<String> up = new ArrayList<>();
        for (String m : live.names()) {
            if (s.spec().mayRunOn(m) && live.eligible(m)) {
                up.add(m);
            }
        }
        if (up.size() > 1 && s.origin() != null) {
            up.remove(s.origin());
        }
        return up;
    }

    /** How many singletons each member has, or is to have. */
    public static Map<String, Integer> load(Collection<SingletonState> all) {
        Map<String, Integer> load = new HashMap<>();
        for (SingletonState s : all) {
            if (s.member() != null) {
                load.merge(s.member(), 1, Integer::sum);
            }
        }
        return load;
    }
}
