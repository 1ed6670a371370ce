package io.weir.proxy.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Makes room in a log: carries over what was used in its oldest segment, and removes that. The writer's only. */
final class Reclaiming {
    /** Of a reclaimed segment, at most this share is carried over, so that reclaiming makes room. */
    private static final int CARRIED_SHARE = 2;
    /** Larger records are not carried over: each is read as a whole. */
    private static final long MOST_CARRIED = 16 << 20;

    private final DiskLog log;
    private final DiskIndex index;
    private final DiskCounters counters;
    private final Kept kept;
    private final long segmentBytes;
    private final int mostRecords;
    /** Makes what was written visible. */
    private Runnable publish = () -> {};

    /** Objects carried over since the start. */
    long carried;

    /** Whether a record that was not used on the disk is worth keeping nevertheless. */
    interface Kept {
        boolean keeps(long hash);
    }

    /** What the index has in a segment. */
    record Entry(long hash, long location) {}

    Reclaiming(DiskLog log, DiskIndex index, DiskCounters counters, Kept kept, long segmentBytes, int mostRecords) {
        this.log = log;
        this.index = index;
        this.counters = counters;
        this.kept = kept;
        this.segmentBytes = segmentBytes;
        this.mostRecords = mostRecords;
    }

    /** Called before a segment is reclaimed, after what was appended is written. */
    void before(Runnable made) {
        publish = made;
    }

    /** Makes what was appended visible. */
    void publish() throws IOException {
        log.flush();
        publish.run();
    }

    static List<Entry> present(DiskIndex index, Segment segment) {
        List<Entry> present = new ArrayList<>();
        index.forEach(l -> Location.slot(l) == segment.slot, (hash, l) -> present.add(new Entry(hash, l)));
        return present;
    }

    /** Removes the oldest segment; what was used is carried over. */
    void run(Segment oldest) throws IOException {
        // an older record that is carried over must not come after a newer one in the log: only what is still found
        publish();
        List<Entry> present = present(index, oldest);
        present.sort(Comparator.comparingLong(e -> Location.offset(e.location())));
        long room = segmentBytes / CARRIED_SHARE;
        List<Entry> moved = new ArrayList<>();
        List<Entry> from = new ArrayList<>();
        for (Entry entry : present) {
            long length = Location.length(entry.location());
            // the heads of the largest are always in memory, so that says nothing of them
            boolean large = log.bodies().size(entry.hash(), entry.location()) > 0;
            boolean worth = Location.uses(entry.location()) > 0 || (!large && kept.keeps(entry.hash()));
            boolean fits = length <= Math.min(room, MOST_CARRIED) && moved.size() < mostRecords / CARRIED_SHARE;
            long to = worth && fits ? carry(oldest, entry, length) : Location.NONE;
            if (to != Location.NONE) {
                room -= length;
                from.add(entry);
                moved.add(new Entry(entry.hash(), to));
            }
        }
        log.flush();
        for (int i = 0; i < moved.size(); i++) {
            Entry old = from.get(i);
            long now = moved.get(i).location();
            index.replace(old.hash(), old.location(), now);
            log.bodies().moved(old.hash(), old.location(), now);
        }
        carried += moved.size();
        counters.carried.add(moved.size());
        counters.reclaimed.inc();
        log.remove(oldest);
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
                record.duplicate().limit((int) (body + head.bodyWithin())).position(body));
        return log.hasRoom(length)
                ? log.append(
                        new RecordParts(head, record.duplicate().position(0).limit(body), rest))
                : Location.NONE;
    }
}
