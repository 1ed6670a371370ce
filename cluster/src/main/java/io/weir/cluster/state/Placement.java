package io.weir.cluster.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a singleton goes: the preferred server, then the candidate with the fewest singletons, then by name. A member on
 * which it failed in this circuit is no destination, nor is the one where the migration began as long as another is up
 * (WebLogic: the original server is never a valid destination). Pure.
 */
final class Placement {
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
    static Choice choose(ClusterState state, SingletonState s, @Nullable String favoured) {
        List<String> destinations = destinations(state, s);
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
        Map<String, Integer> load = load(state);
        Comparator<String> fewest = Comparator.comparingInt(m -> load.getOrDefault(m, 0));
        left.sort(fewest.thenComparing(Comparator.naturalOrder()));
        return new Choice(left.getFirst(), false);
    }

    /** Candidates that are up, in the order of their names; without the origin where that leaves any. */
    static List<String> destinations(ClusterState state, SingletonState s) {
        List<String> up = new ArrayList<>();
        for (String m : state.members().keySet()) {
            if (s.spec().mayRunOn(m) && state.eligible(m)) {
                up.add(m);
            }
        }
        if (up.size() > 1 && s.origin() != null) {
            up.remove(s.origin());
        }
        return up;
    }

    /** How many singletons each member has, or is to have. */
    static Map<String, Integer> load(ClusterState state) {
        Map<String, Integer> load = new HashMap<>();
        for (SingletonState s : state.singletons().values()) {
            if (s.member() != null) {
                load.merge(s.member(), 1, Integer::sum);
            }
        }
        return load;
    }
}
