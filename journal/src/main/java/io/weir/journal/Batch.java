package io.weir.journal;

import io.weir.base.Fence;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Records;
import io.weir.journal.segment.Removals;
import io.weir.journal.segment.Scanner;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.Segments;
import io.weir.journal.segment.StaleCopies;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unit that is written and forced at once: encodes groups, moved entries and the segment table into one direct
 * buffer, and updates the bookkeeping after the write, or undoes it. Confined to the journal's thread; reused for each
 * batch.
 */
final class Batch {
    private final Segments segments;
    private final LocationIndex index;
    private final StaleCopies staleCopies;
    private final SequenceSource sequences;
    private final int blockSize;
    private final int bufferSize;
    private final Records records = new Records();

    private ByteBuffer buffer;
    private @Nullable Segment target;
    private Records.Place place = new Records.Place(0, 0);
    private int recordCount;
    private int padding;

    /** Removals that share a record at the end of the batch; moved ones follow from {@link #movedRemovals}. */
    private final Removals removals = new Removals();
    /** All removals whose records are in the target, for the bookkeeping. */
    private final Removals written = new Removals();

    private final List<Moved> moved = new ArrayList<>();
    private final List<MovedRemoval> movedRemovals = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private Fence highestFence = Fence.NONE;
    private Fence batchFence = Fence.NONE;

    /** An entry that is moved from one segment to another. */
    private record Moved(long id, Segment from, long place, int size) {}

    /** A removal written again, because the segment that contains it is being emptied. */
    private record MovedRemoval(Segment from, long offset, long kills) {}

    Batch(
            Segments segments,
            LocationIndex index,
            StaleCopies staleCopies,
            SequenceSource sequences,
            JournalConfig config) {
        this.segments = segments;
        this.index = index;
        this.staleCopies = staleCopies;
        this.sequences = sequences;
        this.blockSize = config.blockSize().asInt();
        this.bufferSize = config.ioBufferSize().asInt();
        this.buffer = ByteBuffer.allocateDirect(bufferSize);
    }

    /** Sets the highest fence seen so far; at start the recovered one. */
    void fence(Fence highest) {
        highestFence = highest;
    }

    /**
     * Begins a batch in a segment.
     *
     * @throws JournalFault if no buffer of the required size can be allocated; the batch before is unaffected
     */
    void begin(Segment in, long firstBytes) throws JournalFault {
        long need = firstBytes + overhead();
        if (need > buffer.capacity()) {
            buffer = allocate(need);
        } else if (buffer.capacity() > bufferSize && need <= bufferSize) {
            buffer = smaller();
        }
        target = in;
        place = new Records.Place(in.header.salt(), in.end);
        buffer.clear();
        recordCount = 0;
        padding = 0;
        removals.clear();
        written.clear();
        moved.clear();
        movedRemovals.clear();
        groups.clear();
        batchFence = highestFence;
    }

    private static ByteBuffer allocate(long bytes) throws JournalFault {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new JournalFault(
                    JournalFault.Reason.TOO_LARGE,
                    "a group takes " + bytes + " bytes with its removals: make it smaller");
        }
        try {
            return ByteBuffer.allocateDirect((int) bytes);
        } catch (OutOfMemoryError e) {
            throw new JournalFault(
                    JournalFault.Reason.NO_MEMORY,
                    "no buffer of " + bytes + " bytes for a group: " + e.getMessage()
                            + "; raise -XX:MaxDirectMemorySize, or make groups smaller",
                    e);
        }
    }

    /** The usual buffer again, or still the larger one if there is no memory for both. */
    private ByteBuffer smaller() {
        try {
            return allocate(bufferSize);
        } catch (JournalFault e) {
            return buffer;
        }
    }

    /** Bytes of a batch in addition to its groups: the table, the shared removal record's head, the padding. */
    long overhead() {
        return Records.size(segments.tableBytes() + Records.TABLE_BYTES) + 2L * Records.HEADER + blockSize;
    }

    /** Maximum size of a group if none of the entries that it removes is moved. */
    long need(Group g) {
        long sum = 0;
        for (Entry e = g.first; e != null; e = e.next) {
            sum += Records.size(e.length);
        }
        long pairs = g.removalCount;
        for (int i = 0; i < g.removalCount && pairs < Integer.MAX_VALUE; i++) {
            pairs += staleCopies.of(g.removals[i]).size();
        }
        return sum + pairs * Records.REMOVAL_BYTES + (g.additions > 0 ? 3L * Records.HEADER : 0);
    }

    /** Maximum additional size of a group if compaction moves what it removes in the same batch: one more copy each. */
    long needOfMoves(Group g) {
        return (long) g.removalCount * Records.REMOVAL_BYTES;
    }

    /** Whether this many further bytes fit into the buffer and, leaving a reserve, into the segment. */
    boolean fits(long bytes, long reserve) {
        long all = buffer.position() + (long) removals.size() * Records.REMOVAL_BYTES + bytes + overhead();
        Segment t = target();
        return all <= buffer.capacity() && t.end + all + reserve <= t.capacity;
    }

    boolean isEmpty() {
        return buffer.position() == 0 && removals.size() == 0;
    }

    List<Group> groups() {
        return groups;
    }

    int recordCount() {
        return recordCount;
    }

    int padding() {
        return padding;
    }

    int movedCount() {
        return moved.size() + movedRemovals.size();
    }

    Segment target() {
        if (target == null) {
            throw new IllegalStateException("no batch was begun");
        }
        return target;
    }

    /** Adds a group. If it cannot be written, its fault is set and nothing of it is in the batch. */
    void add(Group g) {
        groups.add(g);
        Fence fenceBefore = batchFence;
        if (!g.fence.equals(Fence.NONE)) {
            if (g.fence.compareTo(batchFence) < 0) {
                g.fault = new JournalFault(
                        JournalFault.Reason.STALE_FENCE, "fence " + g.fence + " is older than " + batchFence);
                return;
            }
            batchFence = g.fence;
        }
        if (g.additions == 0) {
            collect(g, removals);
            return;
        }
        int start = buffer.position();
        int recordsBefore = recordCount;
        int writtenBefore = written.size();
        try {
            encode(g, start);
        } catch (RuntimeException e) {
            withdraw(g);
            buffer.position(start);
            recordCount = recordsBefore;
            written.cut(writtenBefore);
            batchFence = fenceBefore;
            g.fault = new JournalFault(JournalFault.Reason.BAD_PAYLOAD, "a payload did not write itself: " + e, e);
        }
    }

    private void encode(Group g, int start) {
        boolean lone = g.additions == 1 && g.removalCount == 0;
        int head = Records.HEADER + 8;
        if (!lone) {
            buffer.position(start + head);
        }
        int members = 0;
        for (Entry e = g.first; e != null; e = e.next) {
            if (e.payload.wanted()) {
                entry(e, lone ? 0 : Records.MEMBER, g.fence);
                members++;
            }
        }
        int before = written.size();
        collect(g, written);
        if (written.size() > before) {
            removalRecord(written, before, Records.MEMBER, g.fence);
            members++;
        }
        if (!lone) {
            head(start, head, members, g.fence);
        }
    }

    /** Writes the head of a group, before its members; without members there is no head. */
    private void head(int start, int head, int members, Fence fence) {
        int end = buffer.position();
        if (members == 0) {
            buffer.position(start);
            return;
        }
        buffer.putLong(start + Records.HEADER, end - start - head);
        seal(start, 8, Records.GROUP, 0, members, sequences.last(), fence);
        buffer.position(end);
    }

    private void entry(Entry e, int flags, Fence fence) {
        int at = buffer.position();
        buffer.position(at + Records.HEADER);
        e.payload.writeTo(buffer);
        if (buffer.position() != at + Records.HEADER + e.length) {
            throw new IllegalStateException(
                    "wrote " + (buffer.position() - at - Records.HEADER) + " bytes, not " + e.length);
        }
        seal(at, e.length, Records.ENTRY, flags, e.type, e.id, fence);
        e.offset = place.start() + at;
        index.put(e.id, LocationIndex.place(target().number(), e.offset), (int) Records.size(e.length));
    }

    /** Adds an entry from a segment that is being emptied. */
    void move(Segment from, Scanner record) throws IOException {
        ByteBuffer payload = record.payload();
        int at = buffer.position();
        buffer.position(at + Records.HEADER);
        buffer.put(payload);
        seal(at, record.length, Records.ENTRY, Records.RELOCATED, record.type, record.sequence, record.fence);
        int size = (int) record.size();
        moved.add(new Moved(record.sequence, from, index.get(record.sequence), size));
        index.put(record.sequence, LocationIndex.place(target().number(), place.start() + at), size);
        staleCopies.add(record.sequence, from.number());
    }

    /** Adds a removal from the record at an offset of a segment that is being emptied. */
    void moveRemoval(Segment from, long offset, long id, long kills) {
        removals.add(id, kills);
        movedRemovals.add(new MovedRemoval(from, offset, kills));
    }

    private void collect(Group g, Removals into) {
        for (int i = 0; i < g.removalCount; i++) {
            long id = g.removals[i];
            long at = index.get(id);
            if (at != LocationIndex.NONE) {
                into.add(id, LocationIndex.segment(at));
                for (long copy : staleCopies.of(id)) {
                    into.add(id, copy);
                }
            }
        }
    }

    private void removalRecord(Removals from, int first, int flags, Fence fence) {
        int at = buffer.position();
        buffer.position(at + Records.HEADER);
        from.write(buffer, first);
        int length = buffer.position() - at - Records.HEADER;
        seal(at, length, Records.REMOVAL, flags, length / Records.REMOVAL_BYTES, sequences.last(), fence);
    }

    /** Writes the segment table, without segments that are to be dropped. */
    void table(Collection<Segment> without) {
        int at = buffer.position();
        buffer.position(at + Records.HEADER);
        segments.writeTable(buffer, without);
        int length = buffer.position() - at - Records.HEADER;
        seal(at, length, Records.TABLE, 0, length / Records.TABLE_BYTES, sequences.last(), highestFence);
    }

    /** Finishes the batch with shared removals and padding; returns the bytes to write. */
    ByteBuffer finish() {
        if (removals.size() > 0) {
            removalRecord(removals, 0, 0, Fence.NONE);
            for (int i = 0; i < removals.size(); i++) {
                written.add(removals.id(i), removals.segment(i));
            }
        }
        if (recordCount > 0) {
            pad();
        }
        return buffer.flip();
    }

    private void pad() {
        int at = buffer.position();
        long end = place.start() + at;
        long gap = Records.align(end, blockSize) - end;
        while (gap > 0 && gap < Records.HEADER) {
            gap += Math.max(8, blockSize);
        }
        if (gap > 0 && end + gap <= target().capacity) {
            buffer.put(at + Records.HEADER, EMPTY, 0, (int) gap - Records.HEADER);
            seal(at, (int) gap - Records.HEADER, Records.PAD, 0, 0, sequences.last(), highestFence);
            recordCount--;
            padding = (int) gap;
        }
    }

    private static final byte[] EMPTY = new byte[2 * 65536 + 64];

    private void seal(int at, int length, byte kind, int flags, int type, long id, Fence fence) {
        int first = at == 0 ? Records.FIRST : 0;
        records.seal(buffer, at, length, kind, flags | first, type, id, fence, place);
        recordCount++;
    }

    /** The batch was written: added entries are live, removed ones are dead. */
    void succeeded(long bytes) {
        Segment t = target();
        t.end += bytes;
        for (Group g : groups) {
            for (Entry e = g.first; e != null; e = e.next) {
                if (e.offset != Entry.NOWHERE) {
                    t.lives(Records.size(e.length));
                }
            }
        }
        for (Moved m : moved) {
            m.from().dies(m.size());
            t.lives(m.size());
        }
        for (MovedRemoval m : movedRemovals) {
            m.from().killsNoMore(m.kills(), m.offset());
        }
        for (int i = 0; i < written.size(); i++) {
            died(written.id(i));
            t.kills(written.segment(i));
        }
        highestFence = batchFence;
    }

    private void died(long id) {
        long at = index.get(id);
        if (at != LocationIndex.NONE) {
            Segment s = segments.get(LocationIndex.segment(at));
            if (s != null) {
                s.dies(index.size(id));
            }
            index.remove(id);
        }
    }

    /** The write failed or its outcome is unknown: restores the state before it. */
    void failed() {
        for (Group g : groups) {
            withdraw(g);
        }
        for (Moved m : moved) {
            index.put(m.id(), m.place(), m.size());
            staleCopies.take(m.id(), m.from().number());
        }
    }

    private void withdraw(Group g) {
        for (Entry e = g.first; e != null; e = e.next) {
            if (e.offset != Entry.NOWHERE) {
                index.remove(e.id);
                e.offset = Entry.NOWHERE;
            }
        }
    }
}
