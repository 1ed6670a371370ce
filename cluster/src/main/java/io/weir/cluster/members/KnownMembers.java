package io.weir.cluster.members;

import io.weir.cluster.state.bytes.StateLimits;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The last introduction of each member, by name; bounded by the maximum number of members. Changed by the member's loop
 * only, read by any thread; lives as long as the membership.
 */
final class KnownMembers {
    private final Map<String, Introduction> byName = new ConcurrentHashMap<>();

    /**
     * Records an introduction. At the bound an entry with the same address is replaced, since it must be outdated. A
     * stranger does not replace a cluster member of the same name: lookups of that name must find the member until the
     * cluster has admitted the stranger.
     *
     * @return false if there is no room for another name
     */
    boolean record(Introduction i) {
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
