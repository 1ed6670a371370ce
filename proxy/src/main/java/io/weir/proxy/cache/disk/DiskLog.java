package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a partition: appends records to the newest, and reclaims the oldest as a whole when all are in use.
 * Written by one thread; readers find segments by their slot.
 */
final class DiskLog {
    /** Small records are written together. */
    private static final int BUFFER = 256 << 10;
    /** Removed segments that are still being sent may have this share of the capacity. */
    private static final int HELD_SHARE = 8;
    /** So many there may be, whatever bodies with files of their own there are. */
    private static final int LEAST_SEGMENTS = 4;

    private final Folder folder;
    private final DiskIndex index;
    private final DiskCounters counters;
    private final long segmentBytes;
    private final int mostSegments;
    private final int mostRecords;
    private final Reclaiming reclaiming;
    /** Bytes of the file system that are left to others. */
    private LongSupplier minSpace = () -> 0;

    private final Set<Long> doubtful;
    private final Slots slots = new Slots();
    /** From oldest to newest, the active one excluded. */
    private final ArrayDeque<Segment> full = new ArrayDeque<>();

    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
    private Contents contents = new Contents();
    private @Nullable Segment active;
    private long nextSegment = 1;
    private long nextRecord = 1;
    /** Of answers and markers, in the active segment. */
    private int records;

    /** Objects removed with their segment since the start. The writer's only. */
    long evicted;

    private final HeldSegments held;
    private final BodyFiles bodies;
    private volatile int segments;
    private volatile long bytes;
    private long fullBytes;

    DiskLog(
            Folder folder,
            DiskIndex index,
            DiskCounters counters,
            long segmentBytes,
            int mostSegments,
            int mostRecords,
            Reclaiming.Kept kept,
            Set<Long> doubtful,
            long firstBody) {
        this.folder = folder;
        this.index = index;
        this.counters = counters;
        this.segmentBytes = segmentBytes;
        this.mostSegments = mostSegments;
        this.mostRecords = mostRecords;
        this.doubtful = doubtful;
        this.held = new HeldSegments(counters, Math.max(2 * segmentBytes, capacity() / HELD_SHARE));
        this.bodies = new BodyFiles(folder, counters, firstBody);
        this.reclaiming = new Reclaiming(this, index, counters, kept, segmentBytes, mostRecords);
    }

    Reclaiming reclaiming() {
        return reclaiming;
    }

    /** Bytes of the file system that are to stay free. */
    void leaves(LongSupplier bytes) {
        minSpace = bytes;
    }

    /** Takes over a segment that recovery read. */
    int recovered(long sequence, SegmentFile file, long end) {
        int slot = slots.free();
        Segment segment = new Segment(slot, sequence, file, end);
        slots.add(segment);
        full.add(segment);
        nextSegment = Math.max(nextSegment, sequence + 1);
        count();
        return slot;
    }

    /** A file has this number, whether it can be read or not: those to come have later ones. */
    void taken(long sequence) {
        nextSegment = Math.max(nextSegment, sequence + 1);
    }

    void recoveredRecords(long next) {
        nextRecord = Math.max(nextRecord, next);
    }

    /** The segment in a slot, retained; null if there is none any more. */
    @Nullable
    Segment retain(int slot) {
        return slots.retain(slot);
    }

    /** The number of the next record; each is greater than all before, also those before a restart. */
    long nextSequence() {
        return nextRecord++;
    }

    boolean fits(long length) {
        return length <= segmentBytes - Segment.HEADER;
    }

    int segments() {
        return segments;
    }

    int mostSegments() {
        return mostSegments;
    }

    /** Bytes of all segments' records, and of the bodies with files of their own. */
    long bytes() {
        return bytes + bodies.bytes();
    }

    /** Objects carried over since the start. The writer's only. */
    long carried() {
        return reclaiming.carried;
    }

    BodyFiles bodies() {
        return bodies;
    }

    /** Bytes of the largest record. */
    long largestRecord() {
        return largestRecord(segmentBytes);
    }

    static long largestRecord(long segmentBytes) {
        return segmentBytes - Segment.HEADER;
    }

    /** Bytes that bodies with files of their own may have while they arrive, and that one may have: half of all. */
    long mostBody() {
        return mostBody(mostSegments, segmentBytes);
    }

    static long mostBody(int mostSegments, long segmentBytes) {
        return Math.min(RecordHead.LARGEST_BODY - 1, (mostSegments - LEAST_SEGMENTS) * segmentBytes / 2);
    }

    long segmentBytes() {
        return segmentBytes;
    }

    /** How many segments there may be beside the bodies with files of their own. */
    private int allowed() {
        return (int) Math.max(LEAST_SEGMENTS, mostSegments - segmentsOf(bodies.bytes()));
    }

    /** Frees the oldest until there is room for what was reserved for bodies; false: there is none. */
    boolean makeRoom() throws IOException {
        bodies.sweep(index);
        bodies.removeUnused();
        if (segmentsOf(bodies.held()) > mostSegments - LEAST_SEGMENTS) {
            // clients still read so much of what was removed: freeing more does not help
            return false;
        }
        for (int i = steps(); i > 0 && (crowded() || tight()); i--) {
            if (!free(true)) {
                break;
            }
        }
        return !crowded() && !tight();
    }

    /** Frees the oldest until what is there has the partition's size. */
    void fit() throws IOException {
        for (int i = steps(); i > 0 && crowded() && free(true); i--) {
            // each step frees something
        }
    }

    private long segmentsOf(long bytes) {
        return (bytes + segmentBytes - 1) / segmentBytes;
    }

    /** So many steps free everything, with what is carried over once. */
    int steps() {
        return 2 * (segments + bodies.count()) + 2;
    }

    /**
     * Frees the oldest: a body with a file of its own whose record is in the oldest segment, if there is one, else that
     * segment. Returns whether there was something.
     *
     * @param now whether the segment that is written may be freed, too, if there is no other
     */
    private boolean free(boolean now) throws IOException {
        Segment oldest = full.isEmpty() ? active : full.getFirst();
        reclaiming.publish();
        Long body = oldest == null ? null : bodies.oldest(oldest.slot, index);
        if (body == null) {
            return (now || !full.isEmpty()) && reclaim();
        }
        // so that a start does not look for the file
        append(Encoding.note(RecordHead.Kind.GONE, body, nextSequence()));
        index.remove(body);
        bodies.drop(body);
        bodies.removeUnused();
        evicted++;
        counters.evicted.inc();
        return true;
    }

    private boolean crowded() {
        return segmentsOf(bodies.bytes()) > mostSegments - LEAST_SEGMENTS || segments > allowed();
    }

    long capacity() {
        return segmentBytes * mostSegments;
    }

    /**
     * Appends a record; it may be read only after {@link #flush}.
     *
     * @return its location
     */
    long append(RecordParts record) throws IOException {
        RecordHead head = record.head();
        long length = head.length();
        Segment to = room(length);
        long at = to.end() + out.position();
        if (length <= BUFFER && record.from() == null) {
            if (length > out.remaining()) {
                flush();
            }
            at = to.end() + out.position();
            put(record, length);
        } else {
            flush();
            at = to.end();
            RecordOutput.write(to, record, length);
            bytes = fullBytes + to.end();
        }
        contents.add(head.kind(), head.hash(), at, length);
        records += head.kind().answer() || head.kind() == RecordHead.Kind.MARKER ? 1 : 0;
        counters.bytesWritten.add(length);
        return Location.of(to.slot, at, length, head.kind() == RecordHead.Kind.MARKER);
    }

    private void put(RecordParts record, long length) {
        int end = out.position() + (int) length;
        out.put(record.beforeBody());
        record.body().forEach(out::put);
        RecordOutput.pad(out, end, record.head().sequence());
    }

    /** Writes what was appended. */
    void flush() throws IOException {
        Segment to = active;
        if (to == null || out.position() == 0) {
            return;
        }
        out.flip();
        int n = out.remaining();
        to.file.write(out, to.end());
        out.clear();
        to.end(to.end() + n);
        bytes = fullBytes + to.end();
    }

    void force() throws IOException {
        flush();
        if (active != null) {
            active.file.force();
        }
    }

    /** After an error: what was not written is forgotten, and a new segment is begun by the next record. */
    void failed() {
        out.clear();
        Segment broken = active;
        active = null;
        contents = new Contents();
        if (broken != null) {
            full.add(broken);
        }
        count();
    }

    /** Ends the active segment with its contents. */
    void seal() throws IOException {
        flush();
        Segment done = active;
        if (done == null) {
            return;
        }
        contents.nextRecord(nextRecord);
        contents.write(done.file, done.end(), done.sequence);
        done.file.force();
        full.add(done);
        active = null;
        contents = new Contents();
        count();
    }

    private Segment room(long length) throws IOException {
        Segment now = active;
        if (now != null && fitsActive(length)) {
            return now;
        }
        seal();
        while (full.size() >= mostSegments) {
            // after a failure there may be too many: they are removed without carrying over
            remove(full.getFirst());
        }
        boolean tight = tight();
        Segment next = open();
        if (full.size() >= allowed() - 1 || (tight && !full.isEmpty())) {
            reclaiming.run(full.getFirst());
        }
        Segment begun = active;
        return begun != null && begun.end() + out.position() + length <= segmentBytes ? begun : room(length, next);
    }

    /** Whether the file system has no room for one more segment beside what is left to others. */
    private boolean tight() throws IOException {
        long usable = folder.usableBytes();
        long left = minSpace.getAsLong();
        if (usable < left) {
            throw new IOException("the file system has " + usable + " bytes free, and cache.disk.min-space leaves "
                    + left + " to others");
        }
        return usable - left < segmentBytes;
    }

    /** What was carried over left too little room for a large record: the next segment takes it. */
    private Segment room(long length, Segment tooFull) throws IOException {
        assert tooFull == active;
        seal();
        Segment next = open();
        if (full.size() >= mostSegments) {
            remove(full.getFirst());
        }
        if (next.end() + length > segmentBytes) {
            throw new IOException("a record of " + length + " bytes does not fit a segment");
        }
        return next;
    }

    private Segment open() throws IOException {
        long sequence = nextSegment++;
        SegmentFile file = folder.create(Segment.name(sequence));
        try {
            file.write(Segment.header(sequence), 0);
        } catch (IOException e) {
            file.close();
            folder.delete(Segment.name(sequence));
            throw e;
        }
        Segment opened = new Segment(slots.free(), sequence, file, Segment.HEADER);
        slots.add(opened);
        active = opened;
        contents = new Contents();
        records = 0;
        count();
        // those of a reclaimed segment would be forgotten, but not what was carried over from it
        for (long connection : doubtful) {
            append(Encoding.note(RecordHead.Kind.DOUBT, connection, nextSequence()));
        }
        return opened;
    }

    /** Removes the oldest segment, if there is one; what was used is carried over. Returns whether there was one. */
    boolean reclaim() throws IOException {
        if (full.isEmpty()) {
            seal();
        }
        if (full.isEmpty()) {
            return false;
        }
        if (active == null) {
            open();
        }
        reclaiming.run(full.getFirst());
        return true;
    }

    /** Frees the oldest, but keeps the active segment; false if there is nothing else. */
    boolean collect() throws IOException {
        return free(false);
    }

    /** Whether the active segment takes this much, or the next one, if there may be one more. */
    boolean hasRoom(long length) throws IOException {
        if (fitsActive(length)) {
            return true;
        }
        if (full.size() >= allowed() - 2) {
            return false;
        }
        seal();
        open();
        return fitsActive(length);
    }

    private boolean fitsActive(long length) {
        Segment now = active;
        return now != null && now.end() + out.position() + length <= segmentBytes && records < mostRecords;
    }

    /** Removes a segment with all records that the index still has in it. */
    void remove(Segment segment) throws IOException {
        for (Reclaiming.Entry entry : Reclaiming.present(index, segment)) {
            if (index.remove(entry.hash(), entry.location())) {
                bodies.drop(entry.hash(), entry.location());
                evicted++;
                counters.evicted.inc();
            }
        }
        full.remove(segment);
        slots.remove(segment);
        // after the index: what is put into memory from now on finds that it is not there any more
        segment.bodies.forEach(SegmentBody::gone);
        segment.release();
        held.add(segment);
        count();
        folder.delete(segment.name());
    }

    /** Removed segments that are still being sent. */
    HeldSegments held() {
        return held;
    }

    /** Gives a segment up whose records cannot be trusted; returns its file's name, null if it is gone already. */
    @Nullable
    String drop(int slot) throws IOException {
        Segment segment = slots.get(slot);
        if (segment == null) {
            return null;
        }
        if (segment == active) {
            failed();
        }
        counters.dropped.inc();
        remove(segment);
        return segment.name();
    }

    private void count() {
        long total = 0;
        for (Segment segment : full) {
            total += segment.end();
        }
        Segment now = active;
        fullBytes = total;
        segments = full.size() + (now == null ? 0 : 1);
        bytes = total + (now == null ? 0 : now.end());
    }

    /** Removes the oldest segment to free space on the disk; nothing is carried over. */
    void shrink() throws IOException {
        Long body = full.isEmpty() && active != null ? bodies.oldest(active.slot, index) : null;
        if (body != null) {
            index.remove(body);
            bodies.drop(body);
            bodies.removeUnused();
        } else if (!full.isEmpty()) {
            remove(full.getFirst());
            bodies.removeUnused();
        }
    }

    /** Ends the active segment, so that the next start reads its contents; closes all files. */
    void close() {
        try {
            seal();
        } catch (IOException _) {
            counters.writeErrors.inc();
        }
        for (Segment segment : full) {
            slots.remove(segment);
            segment.release();
        }
        full.clear();
    }
}
