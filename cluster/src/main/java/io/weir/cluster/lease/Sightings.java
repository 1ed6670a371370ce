package io.weir.cluster.lease;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Since when, on this member's monotonic clock, something has looked the way it looks: by name, with what it looked like.
 * Confined to the loop; bounded by the names in the cluster's state.
 */
final class Sightings {
    private record Seen(Object as, long at) {}

    private final Map<String, Seen> seen = new HashMap<>();

    /** Since when; from now on if it looked otherwise before. */
    long since(String name, Object as, long now) {
        Seen s = seen.get(name);
        if (s == null || !s.as().equals(as)) {
            s = new Seen(as, now);
            seen.put(name, s);
        }
        return s.at();
    }

    void keepOnly(Set<String> names) {
        seen.keySet().retainAll(names);
    }
}
