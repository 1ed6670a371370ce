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
 * Chooses a singleton's member: the preferred server, then the candidate with the fewest singletons, then by name. A
 * member on which it failed in this circuit is not a destination, nor is the one where the migration began while
 * another is up (WebLogic: the original server is never a valid destination). Pure.
 */
public final class Placement {
    private Placement() {}

    /**
     * The outcome of a choice.
     *
     * @param member the chosen member; null if none
     * @param exhausted whether candidates are up, but it failed on each of them in this circuit
     */
    record Choice(@Nullable String member, boolean exhausted) {}

    /**
     * Chooses a member.
     *
     * @param favoured chosen before the preferred server if possible; null for none
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
            // the singleton itself is not counted
            load.merge(itself.member(), -1, Integer::sum);
        }
        Comparator<String> fewest = Comparator.comparingInt(m -> load.getOrDefault(m, 0));
        left.sort(fewest.thenComparing(Comparator.naturalOrder()));
        return new Choice(left.getFirst(), false);
    }

    /** Candidates that are up, sorted by name; without the origin if others remain. */
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

    /** The number of singletons placed on each member. */
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
