package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.disk.files.Routing;
import io.weir.proxy.cache.store.KeyHash;
import io.weir.proxy.cache.store.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads records, checks them, and puts the answers into memory. Nothing that a checksum does not confirm is used; a
 * record whose checksum is wrong makes its whole segment be dropped. Shared by the reading threads.
 */
final class DiskReader {
    /** Records up to this size are read at once. */
    private static final int FIRST = 64 << 10;
    /** Of larger ones this much is read first: all before the body, usually. The body is read into its memory. */
    private static final int HEAD = 8 << 10;
    /** A muxer copies this much from the page cache; more is left to a reading thread. */
    private static final int MOST_AT_ONCE = 2 << 20;

    private final DiskIndex index;
    private final KeyHash hash;
    private final Store store;
    private final Set<Long> doubtful;
    private final DiskCounters counters;
    private final ConcurrentLinkedQueue<Integer> damaged = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> dropped = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<ByteBuffer> first = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(FIRST));
    private final LongSupplier largest;
    private final BodyFiles files;
    private final BooleanSupplier sendsFiles;
    private @Nullable DiskLog log;
    private @Nullable WriteQueue queue;
    private Executor threads = Runnable::run;

    /**
     * Created with its partition.
     *
     * @param largest bytes of a body that is brought into memory
     * @param sendsFiles whether bodies are sent from the page cache
     */
    DiskReader(
            DiskIndex index,
            KeyHash hash,
            Store store,
            Set<Long> doubtful,
            DiskCounters counters,
            LongSupplier largest,
            BodyFiles files,
            BooleanSupplier sendsFiles) {
        this.index = index;
        this.files = files;
        this.hash = hash;
        this.store = store;
        this.doubtful = doubtful;
        this.counters = counters;
        this.largest = largest;
        this.sendsFiles = sendsFiles;
    }

    /** Before its first use. */
    void of(DiskLog readLog, WriteQueue written, Executor readingThreads) {
        log = readLog;
        queue = written;
        threads = readingThreads;
    }

    DiskCounters counters() {
        return counters;
    }

    /** Whether bodies are sent from the page cache, where they can be. */
    boolean sendsFiles() {
        return sendsFiles.getAsBoolean();
    }

    /** Those that may wait for the disk. */
    Executor threads() {
        return threads;
    }

    /** A body cannot be read: it is not served any more. */
    void failed(SegmentBody body) {
        counters.readErrors.inc();
        boolean _ = forget(body);
        gone(body);
    }

    /** Returns whether it was known. */
    private boolean forget(SegmentBody body) {
        body.spoil();
        SegmentBody.Place place = body.place();
        BodyFile own = body.own();
        WriteQueue written = queue;
        if (place == null || own == null || written == null) {
            return place == null || index.remove(place.hash(), place.location());
        }
        // as a purge: a start must not find its record again
        boolean known = Location.same(index.find(place.hash()), place.location()) && written.purge(place.hash());
        if (known) {
            counters.bodiesDropped.inc();
            dropped.add(BodyFile.name(own.id));
        }
        return known;
    }

    /** A body is not what was written. */
    void damaged(SegmentBody body) {
        body.doubt();
        if (body.own() == null) {
            SegmentBody.Place place = body.place();
            if (place != null) {
                damaged(place.hash(), place.location());
            }
        } else {
            // the segment with its record is as good as before
            if (forget(body)) {
                counters.corrupt.inc();
            }
        }
        gone(body);
    }

    /** A client gets a body that has a file of its own: that is no read of its record. */
    void used(SegmentBody body) {
        SegmentBody.Place place = body.place();
        if (body.own() != null && place != null) {
            index.use(place.hash());
        }
    }

    /** A body is not answered from memory's objects any more. */
    void gone(SegmentBody body) {
        store.gone(body.key().hash, body.key().bytes, body);
    }

    /** A record whose parts before the body were read and are intact. */
    record Read(Segment segment, long location, RecordHead head, ByteBuffer bytes, boolean now) {
        byte[] part(int at, int length) {
            byte[] part = new byte[length];
            bytes.get(at, part);
            return part;
        }

        ByteBuf meta() {
            return Unpooled.wrappedBuffer(part(metaAt(), head.metaLength()));
        }

        private int metaAt() {
            return RecordHead.BYTES + head.keyLength() + head.variantLength();
        }

        /** Of a body with a file of its own. */
        long fileId() {
            return bytes.order(ByteOrder.LITTLE_ENDIAN).getLong(metaAt() + head.metaLength() - Long.BYTES);
        }
    }

    /** What was found is not what the index says. */
    static final class Damaged extends Exception {
        private static final long serialVersionUID = 1;

        Damaged() {
            super("a checksum is wrong", null, false, false);
        }
    }

    /** The disk would have to be waited for. */
    static final class Waits extends Exception {
        private static final long serialVersionUID = 1;

        Waits() {
            super("not in the page cache", null, false, false);
        }
    }

    /** Reads an answer into memory, if there is one that the request selects; then lets those go on that wait. */
    void load(DiskLoad load) {
        counters.readsOfThreads.inc();
        try {
            load(load, false);
        } catch (Waits e) {
            throw new AssertionError("it may wait", e);
        } catch (RuntimeException | OutOfMemoryError _) {
            counters.readErrors.inc();
        } finally {
            load.finish();
        }
    }

    /** As {@link #load}, but only if it needs no wait; returns whether it is over. */
    boolean loadNow(DiskLoad load) {
        long length = Location.length(index.find(load.hash));
        if (length > MOST_AT_ONCE && length <= largest.getAsLong()) {
            return false;
        }
        try {
            load(load, true);
            counters.readsOfMuxers.inc();
            load.finish();
            return true;
        } catch (Waits _) {
            return false;
        } catch (RuntimeException | OutOfMemoryError _) {
            counters.readErrors.inc();
            load.finish();
            return true;
        }
    }

    private void load(DiskLoad load, boolean now) throws Waits {
        long location = index.use(load.hash);
        if (location != Location.NONE) {
            load(load, location, now);
        }
    }

    private void load(DiskLoad load, long location, boolean now) throws Waits {
        if (!Location.marker(location)) {
            object(load, load.hash, location, 0, Location.NONE, "", now);
            return;
        }
        Vary[] vary = new Vary[1];
        long[] since = new long[1];
        read(load.hash, location, load.key, now, read -> {
            vary[0] = Metadata.names(read.meta());
            since[0] = read.head().since();
        });
        if (vary[0] == null || load.fields == null) {
            return;
        }
        String key = vary[0].key(load.fields);
        long variant = variant(hash, load.hash, key);
        long of = index.use(variant);
        if (of != Location.NONE) {
            object(load, variant, of, location, since[0], key, now);
        }
    }

    /** The hash under which the index has a variant. */
    static long variant(KeyHash hash, long primary, String variantKey) {
        byte[] key = variantKey.getBytes(StandardCharsets.UTF_8);
        byte[] both = Arrays.copyOf(key, key.length + Long.BYTES);
        ByteBuffer.wrap(both).putLong(key.length, primary);
        return Routing.beside(primary, hash.of(both, both.length));
    }

    /** The names that a marker has; null if it cannot be read. */
    @Nullable
    List<String> names(long primary, long location) {
        Vary[] vary = new Vary[1];
        try {
            read(primary, location, null, false, read -> vary[0] = Metadata.names(read.meta()));
        } catch (Waits e) {
            throw new AssertionError("it may wait", e);
        }
        return vary[0] == null ? null : vary[0].names();
    }

    private void object(DiskLoad load, long of, long location, long marker, long since, String variantKey, boolean now)
            throws Waits {
        read(of, location, load.key, now, read -> {
            RecordHead head = read.head();
            byte[] variant = read.part(RecordHead.BYTES + head.keyLength(), head.variantLength());
            boolean same = Arrays.equals(variant, variantKey.getBytes(StandardCharsets.UTF_8));
            if (!head.kind().answer() || !same || head.sequence() < since) {
                counters.missing.inc();
                return;
            }
            Metadata meta = Metadata.read(read.meta());
            if (doubtful.contains(meta.connections().body())
                    || doubtful.contains(meta.connections().head())) {
                index.remove(of, location);
                counters.missing.inc();
                return;
            }
            SegmentBody below = below(read, load);
            if (below == null && head.kind() == RecordHead.Kind.LARGE) {
                index.remove(of, location);
                counters.missing.inc();
                return;
            }
            try (Restored restored = new Restored(store, load.hash, load.key, meta, variantKey)) {
                byte[] stored = read.part(head.sumsAt() - head.headLength(), head.headLength());
                boolean room = below == null
                        ? restored.begin(stored, head.bodyLength())
                        : restored.begin(stored, below, head.bodyLength());
                if (!room) {
                    counters.refused("memory");
                    return;
                }
                if (below == null) {
                    body(read, restored);
                }
                if (restored.store(() -> holds(load.hash, marker == 0 ? location : marker, of, location, marker))) {
                    counters.hits.inc();
                }
            } finally {
                if (below != null) {
                    below.release();
                }
            }
        });
    }

    /** The body, if it is not brought into memory; null also if its file is not there any more. */
    private @Nullable SegmentBody below(Read read, DiskLoad load) throws IOException, Waits {
        RecordHead head = read.head();
        boolean large = head.kind() == RecordHead.Kind.LARGE;
        if (!large && head.bodyLength() <= largest.getAsLong()) {
            return null;
        }
        byte[] copy = read.part(head.sumsAt(), Integer.BYTES * RecordHead.blocks(head.bodyLength()));
        BlockSums sums = BlockSums.of(copy, head.bodyLength());
        SegmentBody.Key key = new SegmentBody.Key(load.hash, load.key);
        SegmentBody.Place place = new SegmentBody.Place(head.hash(), read.location());
        if (!large) {
            long start = Location.offset(read.location()) + head.bodyAt();
            return new SegmentBody(this, read.segment(), start, sums, key, place);
        }
        long id = read.fileId();
        BodyFile file = files.open(head.hash(), id, !read.now());
        if (file == null && read.now() && files.size(head.hash(), read.location()) > 0) {
            throw new Waits();
        }
        if (file == null) {
            return null;
        }
        try {
            return new SegmentBody(this, file, 0, sums, key, place);
        } finally {
            file.release();
        }
    }

    private boolean holds(long primary, long first, long variant, long location, long marker) {
        WriteQueue written = queue;
        return written != null && written.holds(primary, first, marker == 0 ? 0 : variant, location);
    }

    /** What to do with a record that was read. */
    interface Use {
        void use(Read read) throws IOException, Damaged, Waits;
    }

    void read(long of, long location, byte @Nullable [] key, boolean now, Use use) throws Waits {
        DiskLog from = log;
        Segment segment = from == null ? null : from.retain(Location.slot(location));
        if (segment == null) {
            return;
        }
        try {
            Read read = begin(segment, location, now);
            if (read.head().hash() != of) {
                throw new Damaged();
            }
            if (key == null
                    || Arrays.equals(read.part(RecordHead.BYTES, read.head().keyLength()), key)) {
                use.use(read);
            } else {
                // two keys with one hash
                counters.missing.inc();
            }
        } catch (IOException _) {
            counters.readErrors.inc();
            index.remove(of, location);
        } catch (Damaged _) {
            segment.doubt();
            damaged(of, location);
        } finally {
            segment.release();
        }
    }

    private void damaged(long of, long location) {
        // while it was read, the segment may have been reclaimed and its slot used again: then this is no damage
        if (index.remove(of, location)) {
            counters.corrupt.inc();
            damaged.add(Location.slot(location));
        }
    }

    /** A slot whose segment is to be dropped; null: none. */
    @Nullable
    Integer damaged() {
        return damaged.poll();
    }

    /** The file of a body that was found to be damaged or unreadable; null: none. */
    @Nullable
    String dropped() {
        return dropped.poll();
    }

    /** The file that a record names. */
    record Named(long id, long bytes) {}

    /** The file that a record names; null: it cannot be read, or names none. Waits for the disk. */
    @Nullable
    Named named(long of, long location) {
        @Nullable Named[] found = new Named[1];
        try {
            read(of, location, null, false, read -> {
                if (read.head().kind() == RecordHead.Kind.LARGE) {
                    found[0] = new Named(read.fileId(), read.head().bodyLength());
                }
            });
        } catch (Waits e) {
            throw new AssertionError("it may wait", e);
        }
        return found[0];
    }

    private Read begin(Segment segment, long location, boolean now) throws IOException, Damaged, Waits {
        long length = Location.length(location);
        ByteBuffer bytes = first.get().clear();
        bytes.limit((int) (length <= FIRST ? length : HEAD));
        fill(segment, bytes, Location.offset(location), now);
        RecordHead head = RecordHead.read(bytes.flip(), 0);
        if (head == null || head.length() != length) {
            throw new Damaged();
        }
        if (head.bodyAt() > bytes.limit()) {
            bytes = ByteBuffer.allocateDirect(head.bodyAt());
            fill(segment, bytes, Location.offset(location), now);
            bytes.flip();
        }
        if (bytes.limit() < head.bodyAt() || !head.intact(bytes)) {
            throw new Damaged();
        }
        return new Read(segment, location, head, bytes, now);
    }

    private static void fill(Segment from, ByteBuffer into, long position, boolean now)
            throws IOException, Damaged, Waits {
        if (now) {
            if (!from.file.readNow(into, position)) {
                throw new Waits();
            }
        } else {
            int wanted = into.remaining();
            if (from.file.read(into, position) < wanted) {
                throw new Damaged();
            }
        }
    }

    private void body(Read read, Restored to) throws IOException, Damaged, Waits {
        RecordHead head = read.head();
        for (int i = 0; i < RecordHead.blocks(head.bodyLength()); i++) {
            long from = (long) i * RecordHead.BLOCK;
            int n = (int) Math.min(RecordHead.BLOCK, head.bodyLength() - from);
            if (block(read, to, head.bodyAt() + from, n) != read.bytes().getInt(head.sumsAt() + Integer.BYTES * i)) {
                throw new Damaged();
            }
        }
        counters.bytesRead.add(head.length());
    }

    /** Brings one block of the body into memory; returns the checksum of what is there now. */
    private static int block(Read read, Restored to, long at, int length) throws IOException, Damaged, Waits {
        CRC32C sum = new CRC32C();
        int done = 0;
        while (done < length) {
            ByteBuffer piece = to.next(length - done);
            int n = piece.remaining();
            long start = at + done;
            if (start + n <= read.bytes().limit()) {
                piece.put(read.bytes().slice((int) start, n));
            } else {
                fill(read.segment(), piece, Location.offset(read.location()) + start, read.now());
            }
            sum.update(piece.flip());
            done += n;
        }
        return (int) sum.getValue();
    }
}
