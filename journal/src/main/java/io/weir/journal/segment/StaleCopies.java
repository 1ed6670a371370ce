package io.weir.journal.segment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Older copies of moved entries, as long as the segment from which they were moved exists: a removal must kill them,
 * too. Confined to the journal's thread.
 */
public final class StaleCopies {
    private final Map<Long, List<Long>> segmentsById = new HashMap<>();

    public void add(long id, long segment) {
        segmentsById.computeIfAbsent(id, _ -> new ArrayList<>(1)).add(segment);
    }

    public void take(long id, long segment) {
        List<Long> some = segmentsById.get(id);
        if (some != null && some.remove((Long) segment) && some.isEmpty()) {
            segmentsById.remove(id);
        }
    }

    public List<Long> of(long id) {
        return segmentsById.isEmpty() ? List.of() : segmentsById.getOrDefault(id, List.of());
    }

    /** Removes the copies in segments that were deleted. */
    public void forget(List<Segment> gone) {
        if (!segmentsById.isEmpty()) {
            for (Segment s : gone) {
                segmentsById.values().forEach(some -> some.removeIf(n -> n == s.number()));
            }
            segmentsById.values().removeIf(List::isEmpty);
        }
    }
}
