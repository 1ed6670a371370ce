package io.weir.journal.recovery;

import io.weir.base.Fence;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.StaleCopies;
import java.util.List;

/**
 * What was found on the disk at a start. Handed from the opening thread to the journal's.
 *
 * @param segments those in which something may live, ascending
 * @param highestNumber of any segment file seen, used again or not
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
