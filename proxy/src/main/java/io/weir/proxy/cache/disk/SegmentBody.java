package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.SegmentFile;
import io.weir.proxy.cache.store.LowerBody;
import io.weir.proxy.cache.store.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The body of a large answer, which stays in a file: its segment's, or one of its own, which may still be written. Read
 * block by block, each confirmed by its checksum, or sent from the page cache after that. Keeps the file open. Shared.
 */
final class SegmentBody implements LowerBody {
    private static final long HEAP_BYTES = 192;
    /** Blocks that the system may read ahead of one that is read: 16 MiB, far more than it does by itself. */
    private static final int READ_AHEAD = (16 << 20) / RecordHead.BLOCK;

    private final DiskReader reader;
    private final HeldFile file;
    private final long start;
    private final BlockSums sums;
    private final Key key;
    private volatile @Nullable Place place;
    private volatile boolean spoiled;
    /** A bit for each block: its checksum was compared, and it has not been seen to leave the page cache since. */
    private volatile @Nullable AtomicLongArray confirmed;

    private final AtomicInteger holders = new AtomicInteger(1);

    /** Whose body it is: the key of the answer, and its hash. */
    static final class Key {
        final long hash;
        final byte[] bytes;

        Key(long hash, byte[] bytes) {
            this.hash = hash;
            this.bytes = bytes;
        }
    }

    /** Its record: the hash under which the index has it, and where it is. */
    record Place(long hash, long location) {}

    /** Of an answer that has no record yet; as the other one. */
    SegmentBody(DiskReader reader, HeldFile file, long start, BlockSums sums, Key key) {
        this(reader, file, start, sums, key, null);
    }

    /**
     * Held by the caller.
     *
     * @param file retained meanwhile
     * @param start where the body begins in the file
     */
    SegmentBody(DiskReader reader, HeldFile file, long start, BlockSums sums, Key key, @Nullable Place place) {
        if (!file.retain()) {
            throw new IllegalStateException("the file was removed");
        }
        this.reader = reader;
        this.file = file;
        this.start = start;
        this.sums = sums;
        this.key = key;
        this.place = place;
        file.bodies.add(this);
    }

    @Override
    public void retain() {
        holders.incrementAndGet();
    }

    @Override
    public void release() {
        if (holders.decrementAndGet() == 0) {
            file.bodies.remove(this);
            file.release();
        }
    }

    @Override
    public long heapBytes() {
        return HEAP_BYTES + sums.heapBytes() + blocks() / Byte.SIZE;
    }

    /** Whether the body of an answer has a file of its own. */
    static boolean hasFile(StoredObject object) {
        return object.below() instanceof SegmentBody body && body.own() != null;
    }

    DiskReader reader() {
        return reader;
    }

    /** The file that has nothing but this body; null: it is in a segment. */
    @Nullable
    BodyFile own() {
        return file instanceof BodyFile own ? own : null;
    }

    Key key() {
        return key;
    }

    /** It was found to be damaged: it gets no record. */
    void spoil() {
        spoiled = true;
    }

    boolean spoiled() {
        return spoiled;
    }

    /** Its record; null: it has none yet. */
    @Nullable
    Place place() {
        return place;
    }

    /** A record with it is visible from now on, or another one than before. */
    void place(Place now) {
        place = now;
    }

    int blocks() {
        return sums.count();
    }

    int blockBytes(int block) {
        return sums.blockBytes(block);
    }

    BlockSums sums() {
        return sums;
    }

    /** Reads a block without waiting for the disk; false if that cannot be done. The buffer has room for it, exactly. */
    boolean readNow(int block, ByteBuffer into) throws DiskReader.Damaged {
        forgetAhead(block);
        ByteBuffer whole = into.duplicate();
        if (!file.file.readNow(into, position(block))) {
            return false;
        }
        check(block, whole);
        return true;
    }

    /** Reads a block. The buffer has room for it, exactly. */
    void read(int block, ByteBuffer into) throws IOException, DiskReader.Damaged {
        forgetAhead(block);
        ByteBuffer whole = into.duplicate();
        int wanted = into.remaining();
        if (file.file.read(into, position(block)) < wanted) {
            throw new DiskReader.Damaged();
        }
        check(block, whole);
    }

    private long position(int block) {
        return position((long) block * RecordHead.BLOCK);
    }

    /** Where a byte of the body is in its file. */
    private long position(long at) {
        return start + at;
    }

    private void check(int block, ByteBuffer bytes) throws DiskReader.Damaged {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        if ((int) sum.getValue() != sums.of(block)) {
            throw new DiskReader.Damaged();
        }
        AtomicLongArray bits = confirmed;
        if (place == null) {
            // it may still grow
            return;
        }
        if (bits == null) {
            // two threads at a time: one forgets what the other confirmed, and that is compared again
            bits = new AtomicLongArray(blocks() / Long.SIZE + 1);
            confirmed = bits;
        }
        bits.getAndUpdate(block / Long.SIZE, some -> some | 1L << block);
    }

    /** How many bytes from a position on, at most so many, are in blocks whose checksums were compared. */
    long confirmed(long from, long most) {
        if (file.doubtful()) {
            return 0;
        }
        long end = from;
        while (end < from + most && confirmedBlock((int) (end / RecordHead.BLOCK))) {
            end = (end / RecordHead.BLOCK + 1) * RecordHead.BLOCK;
        }
        return Math.min(end - from, most);
    }

    private boolean confirmedBlock(int block) {
        AtomicLongArray bits = confirmed;
        return bits != null && (bits.get(block / Long.SIZE) & 1L << block) != 0;
    }

    /** Whether the page cache has a part. If not, its blocks are to be compared again when they come from the disk. */
    boolean cached(long from, long length) {
        if (file.file.cached(position(from), length)) {
            return true;
        }
        AtomicLongArray bits = confirmed;
        if (bits != null) {
            int last = (int) ((from + length - 1) / RecordHead.BLOCK);
            for (int word = (int) (from / RecordHead.BLOCK) / Long.SIZE; word <= last / Long.SIZE; word++) {
                bits.set(word, 0);
            }
        }
        return false;
    }

    /**
     * Before a block is read: of those that follow, and that the system may read with it, what is not in the page cache any
     * more is to be compared again. Otherwise it would be there the next time somebody looks.
     */
    private void forgetAhead(int block) {
        AtomicLongArray bits = confirmed;
        if (bits == null) {
            return;
        }
        int last = Math.min(blocks() - 1, block + READ_AHEAD);
        for (int word = block / Long.SIZE; word <= last / Long.SIZE; word++) {
            long following = word == block / Long.SIZE ? -2L << block : -1L;
            if ((bits.get(word) & following) != 0) {
                long from = Math.max(word * Long.SIZE, block + 1) * (long) RecordHead.BLOCK;
                long to = Math.min(sums.length(), (word + 1L) * Long.SIZE * RecordHead.BLOCK);
                if (!file.file.cached(position(from), to - from)) {
                    bits.set(word, 0);
                }
            }
        }
    }

    /** Sends a part to a socket, as {@link SegmentFile#send}. */
    long send(int socket, long from, long most) {
        return file.file.send(socket, position(from), most);
    }

    /** Damage was found in its file. */
    void doubt() {
        file.doubt();
    }

    /** Its file is removed: nothing is answered from it any more, so that it can be closed. */
    void gone() {
        reader.gone(this);
    }
}
