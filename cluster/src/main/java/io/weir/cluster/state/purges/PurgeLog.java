package io.weir.cluster.state.purges;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The latest purges of a cluster, how far each member has applied them, and where its cache answers the others.
 * Immutable.
 *
 * @param id a random number chosen by the first purge, which tells this log from that of a former cluster; 0 before
 * @param last number of the latest purge; 0 if there was none
 * @param floor number of the latest purge that is not kept any more; 0 if all that matter are kept
 * @param kept the latest purges, the oldest first; those before one of everything are not kept, because it includes them
 * @param applied for each member that reported, the number of the latest purge that its cache has applied
 * @param addresses for each member whose cache answers other members, host:port
 */
public record PurgeLog(
        long id,
        long last,
        long floor,
        List<Purge> kept,
        SortedMap<String, Long> applied,
        SortedMap<String, String> addresses) {
    /** There was no purge yet. */
    public static final PurgeLog EMPTY =
            new PurgeLog(0, 0, 0, List.of(), Collections.emptySortedMap(), Collections.emptySortedMap());

    /**
     * The purges that a cache has missed.
     *
     * @param knownId of the log that it followed; 0 if none
     * @param number of the latest purge that it applied
     * @return the oldest first; null if that is not known any more: then everything has to be purged
     */
    public @Nullable List<Purge> missed(long knownId, long number) {
        if (knownId == 0) {
            // all that there ever were, or none before one of everything
            return floor == 0 ? kept : null;
        }
        // another log, or one that has lost its end: what was purged there is unknown here
        if (knownId != id || number > last || number < floor) {
            return null;
        }
        return kept.stream().filter(p -> p.number() > number).toList();
    }

    /** Whether a member's cache has applied the latest purge. */
    public boolean upToDate(String member) {
        return last == 0 || applied.getOrDefault(member, 0L) >= last;
    }
}
