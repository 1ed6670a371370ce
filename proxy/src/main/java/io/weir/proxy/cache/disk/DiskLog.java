package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a partition: appends records to the newest, and reclaims the oldest as a whole when all are in use.
 * Written by one thread; readers find segments by their slot.
 */
final class DiskLog {
    /** Small records are written together. */
    private static final int BUFFER = 256 << 10;
    /** Of a reclaimed segment, at most this share is carried over, so that reclaiming makes room. */
    private static final int CARRIED_SHARE = 2;
    /** Removed segments that are still being sent may have this share of the capacity. */
    private static final int HELD_SHARE = 8;
    /** Larger records are not carried over: each is read as a whole. */
    private static final long MOST_CARRIED = 16 << 20;

    private final Folder folder;
    private final DiskIndex index;
    private final DiskCounters counters;
    private final long segmentBytes;
    private final int mostSegments;
    private final int mostRecords;
    private final Kept kept;
    /** Bytes of the file system that are left to others. */
    private LongSupplier minSpace = () -> 0;
    /** Makes what was written visible. */
    private Runnable publish = () -> {};

    private final Set<Long> doubtful;
    private final AtomicReferenceArray<@Nullable Segment> slots = new AtomicReferenceArray<>(Location.MOST_SEGMENTS);
    /** From oldest to newest, the active one excluded. */
    private final ArrayDeque<Segment> full = new ArrayDeque<>();

    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
    private Contents contents = new Contents();
    private @Nullable Segment active;
    private long nextSegment = 1;
    private long nextRecord = 1;
    private int nextSlot;
    /** Of answers and markers, in the active segment. */
    private int records;

    /** Objects carried over since the start, and removed with their segment. The writer's only. */
    long carried;

    long evicted;
    private final HeldSegments held;
    private volatile int segments;
    private volatile long bytes;
    private long fullBytes;

    /** Whether a record that was not used on the disk is worth keeping nevertheless. */
    interface Kept {
        boolean keeps(long hash);
    }

    /**
     * The parts of a record that follow each other in the file.
     *
     * @param from where the body is, if it is not in memory
     */
    record Parts(
            RecordHead head,
            ByteBuffer beforeBody,
            List<ByteBuffer> body,
            @Nullable SegmentBody from) {
        Parts(RecordHead head, ByteBuffer beforeBody, List<ByteBuffer> body) {
            this(head, beforeBody, body, null);
        }
    }

    DiskLog(
            Folder folder,
            DiskIndex index,
            DiskCounters counters,
            long segmentBytes,
            int mostSegments,
            int mostRecords,
            Kept kept,
            Set<Long> doubtful) {
        this.folder = folder;
        this.index = index;
        this.counters = counters;
        this.segmentBytes = segmentBytes;
        this.mostSegments = mostSegments;
        this.mostRecords = mostRecords;
        this.kept = kept;
        this.doubtful = doubtful;
        this.held = new HeldSegments(counters, Math.max(2 * segmentBytes, capacity() / HELD_SHARE));
    }

    /** Called before a segment is reclaimed, after what was appended is written. */
    void beforeReclaim(Runnable made) {
        publish = made;
    }

    /** Bytes of the file system that are to stay free. */
    void leaves(LongSupplier bytes) {
        minSpace = bytes;
    }

    /** Takes over a segment that recovery read. */
    int recovered(long sequence, SegmentFile file, long end) {
        int slot = freeSlot();
        Segment segment = new Segment(slot, sequence, file, end);
        slots.set(slot, segment);
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
        Segment segment = slots.get(slot);
        return segment != null && segment.retain() ? segment : null;
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

    /** Bytes of all segments' records. */
    long bytes() {
        return bytes;
    }

    long capacity() {
        return segmentBytes * mostSegments;
    }

    /**
     * Appends a record; it may be read only after {@link #flush}.
     *
     * @return its location
     */
    long append(Parts record) throws IOException {
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
        records += head.kind() == RecordHead.Kind.OBJECT || head.kind() == RecordHead.Kind.MARKER ? 1 : 0;
        counters.bytesWritten.add(length);
        return Location.of(to.slot, at, length, head.kind() == RecordHead.Kind.MARKER);
    }

    private void put(Parts record, long length) {
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
        if (full.size() >= mostSegments - 1 || (tight && !full.isEmpty())) {
            reclaim(full.getFirst());
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
        Segment opened = new Segment(freeSlot(), sequence, file, Segment.HEADER);
        slots.set(opened.slot, opened);
        active = opened;
        contents = new Contents();
        records = 0;
        count();
        // those of a reclaimed segment would be forgotten, but not what was carried over from it
        for (long connection : doubtful) {
            append(note(RecordHead.Kind.DOUBT, connection));
        }
        return opened;
    }

    /** A record without content. */
    Parts note(RecordHead.Kind kind, long hash) {
        RecordHead head = new RecordHead(kind, hash, nextSequence(), 0, 0, 0, 0, 0, 0, 0);
        ByteBuffer record = ByteBuffer.allocate(RecordHead.BYTES);
        head.write(record);
        return new Parts(head, record, List.of());
    }

    private int freeSlot() {
        while (slots.get(nextSlot) != null) {
            nextSlot = (nextSlot + 1) % Location.MOST_SEGMENTS;
        }
        int slot = nextSlot;
        nextSlot = (nextSlot + 1) % Location.MOST_SEGMENTS;
        return slot;
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
        reclaim(full.getFirst());
        return true;
    }

    /** As {@link #reclaim()}, but keeps the active segment; false if there is no other. */
    boolean collect() throws IOException {
        return !full.isEmpty() && reclaim();
    }

    private record Entry(long hash, long location) {}

    private void reclaim(Segment oldest) throws IOException {
        // an older record that is carried over must not come after a newer one in the log: only what is still found
        flush();
        publish.run();
        List<Entry> present = new ArrayList<>();
        index.forEach(l -> Location.slot(l) == oldest.slot, (hash, l) -> present.add(new Entry(hash, l)));
        present.sort(Comparator.comparingLong(e -> Location.offset(e.location())));
        long room = segmentBytes / CARRIED_SHARE;
        List<Entry> moved = new ArrayList<>();
        List<Entry> from = new ArrayList<>();
        for (Entry entry : present) {
            long length = Location.length(entry.location());
            boolean worth = Location.uses(entry.location()) > 0 || kept.keeps(entry.hash());
            boolean fits = length <= Math.min(room, MOST_CARRIED) && moved.size() < mostRecords / CARRIED_SHARE;
            long to = worth && fits ? carry(oldest, entry, length) : Location.NONE;
            if (to != Location.NONE) {
                room -= length;
                from.add(entry);
                moved.add(new Entry(entry.hash(), to));
            }
        }
        flush();
        for (int i = 0; i < moved.size(); i++) {
            index.replace(
                    from.get(i).hash(), from.get(i).location(), moved.get(i).location());
        }
        carried += moved.size();
        counters.carried.add(moved.size());
        counters.reclaimed.inc();
        remove(oldest);
    }

    /** Copies a record as it is; returns its new location, or none if it cannot be read. */
    private long carry(Segment oldest, Entry entry, long length) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(Math.toIntExact(length));
        RecordHead head;
        try {
            int n = oldest.file.read(record, Location.offset(entry.location()));
            head = n == length ? RecordHead.read(record, 0) : null;
        } catch (IOException _) {
            counters.readErrors.inc();
            return Location.NONE;
        }
        if (head == null || head.length() != length || head.hash() != entry.hash() || !head.intact(record)) {
            counters.corrupt.inc();
            return Location.NONE;
        }
        int body = head.bodyAt();
        List<ByteBuffer> rest = List.of(
                record.duplicate().limit((int) (body + head.bodyLength())).position(body));
        return hasRoom(length)
                ? append(new Parts(head, record.duplicate().position(0).limit(body), rest))
                : Location.NONE;
    }

    /** Whether the active segment takes this much, or the next one, if there may be one more. */
    private boolean hasRoom(long length) throws IOException {
        if (fitsActive(length)) {
            return true;
        }
        if (full.size() >= mostSegments - 2) {
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
    private void remove(Segment segment) throws IOException {
        List<Entry> present = new ArrayList<>();
        index.forEach(l -> Location.slot(l) == segment.slot, (hash, l) -> present.add(new Entry(hash, l)));
        for (Entry entry : present) {
            if (index.remove(entry.hash(), entry.location())) {
                evicted++;
                counters.evicted.inc();
            }
        }
        full.remove(segment);
        slots.set(segment.slot, null);
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
        if (!full.isEmpty()) {
            remove(full.getFirst());
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
            slots.set(segment.slot, null);
            segment.release();
        }
        full.clear();
    }
}
