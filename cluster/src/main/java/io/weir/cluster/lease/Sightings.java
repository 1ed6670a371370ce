package io.weir.cluster.lease;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Since when, on this member's monotonic clock, the observed value of each name has been unchanged. Confined to the
 * loop; bounded by the names in the cluster's state.
 */
final class Sightings {
    private record Seen(Object as, long at) {}

    private final Map<String, Seen> seen = new HashMap<>();

    /** Since when the name has had this value; now if it had another before. */
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
