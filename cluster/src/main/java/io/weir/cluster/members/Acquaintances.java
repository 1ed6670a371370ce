package io.weir.cluster.members;

import io.weir.cluster.state.bytes.StateLimits;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What members said of themselves last, by name: no more of them than a cluster may have. Changed by the member's loop
 * only, read by any thread; lives as long as the membership.
 */
final class Acquaintances {
    private final Map<String, Introduction> byName = new ConcurrentHashMap<>();

    /**
     * Takes down who introduced itself. At the bound an entry with the same address is replaced: it must be outdated. A
     * stranger under the name of one that is in a cluster does not take its place: lookups of that name must find the
     * member, until the cluster has admitted the other.
     *
     * @return false when there is no place for another name
     */
    boolean met(Introduction i) {
        if (!byName.containsKey(i.name()) && byName.size() >= StateLimits.MEMBERS) {
            byName.values().removeIf(known -> known.address().equals(i.address()));
            if (byName.size() >= StateLimits.MEMBERS) {
                return false;
            }
        }
        Introduction before = byName.get(i.name());
        boolean stranger = i.cluster() == null
                && before != null
                && before.cluster() != null
                && !before.voter().storage().equals(i.voter().storage());
        if (!stranger) {
            byName.put(i.name(), i);
        }
        return true;
    }

    @Nullable
    Introduction named(@Nullable String name) {
        return name == null ? null : byName.get(name);
    }

    Collection<Introduction> all() {
        return List.copyOf(byName.values());
    }
}
