package io.weir.journal.segment;

import io.weir.journal.disk.DiskFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One file of the journal and its live entries. Confined to the journal's thread, except while it is being prepared.
 */
public final class Segment {
    public final String name;
    public final SegmentHeader header;
    public final DiskFile file;
    /** Size of the file. */
    public long capacity;
    /** Where the next batch starts; everything before it is written, and durable according to the policy. */
    public long end;

    public boolean sealed;
    /** Contains damage: kept until nothing in it is live, instead of being emptied. */
    public boolean stuck;
    /** Compaction has processed it: its live records were written again, in a batch that may still fail. */
    public boolean emptied;

    private long entries;
    private long references;
    /** Removals of records up to this offset also exist in another segment. */
    private long removalsMovedTo = -1;
    /** Removals in this segment by the segment whose copies they kill: needed as long as that segment exists. */
    private final Map<Long, Integer> killed = new HashMap<>();
    /**
     * Segments by the id of a removal in this segment that does not name them. A failed write may have put copies there
     * of what the write before it had removed; a start finds them.
     */
    private final Map<Long, List<Long>> unnamed = new HashMap<>();

    Segment(String name, SegmentHeader header, DiskFile file, long capacity) {
        this.name = name;
        this.header = header;
        this.file = file;
        this.capacity = capacity;
        this.end = header.firstRecord();
    }

    public long number() {
        return header.number();
    }

    public long room() {
        return sealed ? 0 : capacity - end;
    }

    public void lives(long bytes) {
        entries += bytes;
    }

    public void dies(long bytes) {
        entries -= bytes;
    }

    /** Counts a removal in this segment of a copy in another segment; one of a copy in this segment dies with it. */
    public void kills(long other) {
        if (other != number()) {
            killed.merge(other, 1, Integer::sum);
            references += Records.REMOVAL_BYTES;
        }
    }

    /**
     * Copies in other segments that a removal in this segment does not name, but must kill.
     *
     * @param segments that contain one
     */
    public void killsToo(long id, Set<Long> segments) {
        unnamed.put(id, List.copyOf(segments));
        segments.forEach(this::kills);
    }

    public boolean namesAllItKills() {
        return unnamed.isEmpty();
    }

    /** Segments with copies that a removal in this segment kills without naming them. */
    public List<Long> killedToo(long id) {
        return unnamed.getOrDefault(id, List.of());
    }

    /** Whether the removals of the record at the offset were written again elsewhere: a restarted scan skips it. */
    public boolean movedRemovals(long offset) {
        return offset <= removalsMovedTo;
    }

    /**
     * A removal in this segment was written again elsewhere.
     *
     * @param offset of its record, whose removals are all moved with the same batch, in order
     */
    public void killsNoMore(long other, long offset) {
        removalsMovedTo = Math.max(removalsMovedTo, offset);
        Integer n = killed.get(other);
        if (n != null) {
            references -= Records.REMOVAL_BYTES;
            if (n == 1) {
                killed.remove(other);
            } else {
                killed.put(other, n - 1);
            }
        }
    }

    /** Another segment was deleted: removals of its copies are no longer needed. */
    void forget(long gone) {
        Integer n = killed.remove(gone);
        if (n != null) {
            references -= (long) n * Records.REMOVAL_BYTES;
        }
    }

    long entryBytes() {
        return entries;
    }

    public long liveBytes() {
        return entries + references;
    }

    public boolean dead() {
        return sealed && entries == 0 && references == 0;
    }
}
