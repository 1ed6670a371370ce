package io.weir.journal.recovery;

import io.weir.base.Fence;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.StaleCopies;
import java.util.List;

/**
 * The result of recovery. Passed from the opening thread to the journal's.
 *
 * @param segments segments that may contain live entries, ascending
 * @param highestNumber of any segment file seen, reused or not
 * @param highestSequence of any record seen
 * @param fence the highest of any record
 */
public record Recovered(
        List<Segment> segments,
        LocationIndex index,
        StaleCopies staleCopies,
        long highestNumber,
        long highestSequence,
        Fence fence) {}
