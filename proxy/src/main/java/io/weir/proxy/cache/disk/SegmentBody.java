package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.store.LowerBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * The body of a large answer, which stays in its segment: read block by block, each confirmed by its checksum. Keeps
 * the segment's file open. Shared.
 */
final class SegmentBody implements LowerBody {
    private static final long HEAP_BYTES = 160;

    private final DiskReader reader;
    private final Segment segment;
    private final long location;
    private final RecordHead head;
    private final long primary;
    private final byte[] key;
    private final ByteBuffer sums;
    private final AtomicInteger holders = new AtomicInteger(1);

    /**
     * Held by the caller.
     *
     * @param segment retained meanwhile
     * @param primary hash of the key, which is also that of the record if it has no variants
     * @param sums of the blocks
     */
    SegmentBody(
            DiskReader reader,
            Segment segment,
            long location,
            RecordHead head,
            long primary,
            byte[] key,
            ByteBuffer sums) {
        if (!segment.retain()) {
            throw new IllegalStateException("the segment was removed");
        }
        this.reader = reader;
        this.segment = segment;
        this.location = location;
        this.head = head;
        this.primary = primary;
        this.key = key;
        this.sums = sums;
        segment.bodies.add(this);
    }

    @Override
    public void retain() {
        holders.incrementAndGet();
    }

    @Override
    public void release() {
        if (holders.decrementAndGet() == 0) {
            segment.bodies.remove(this);
            segment.release();
        }
    }

    @Override
    public long heapBytes() {
        return HEAP_BYTES + sums.capacity();
    }

    DiskReader reader() {
        return reader;
    }

    long primary() {
        return primary;
    }

    byte[] key() {
        return key;
    }

    /** Of the record. */
    long hash() {
        return head.hash();
    }

    long location() {
        return location;
    }

    int blocks() {
        return RecordHead.blocks(head.bodyLength());
    }

    int blockBytes(int block) {
        return (int) Math.min(RecordHead.BLOCK, head.bodyLength() - (long) block * RecordHead.BLOCK);
    }

    /** The checksum of each block, as they are written before the body. */
    void putSums(ByteBuffer record) {
        record.put(sums.duplicate());
    }

    /** Reads a block without waiting for the disk; false if that cannot be done. The buffer has room for it, exactly. */
    boolean readNow(int block, ByteBuffer into) throws DiskReader.Damaged {
        ByteBuffer whole = into.duplicate();
        if (!segment.file.readNow(into, position(block))) {
            return false;
        }
        check(block, whole);
        return true;
    }

    /** Reads a block. The buffer has room for it, exactly. */
    void read(int block, ByteBuffer into) throws IOException, DiskReader.Damaged {
        ByteBuffer whole = into.duplicate();
        int wanted = into.remaining();
        if (segment.file.read(into, position(block)) < wanted) {
            throw new DiskReader.Damaged();
        }
        check(block, whole);
    }

    private long position(int block) {
        return Location.offset(location) + head.bodyAt() + (long) block * RecordHead.BLOCK;
    }

    private void check(int block, ByteBuffer bytes) throws DiskReader.Damaged {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        if ((int) sum.getValue() != sums.getInt(Integer.BYTES * block)) {
            throw new DiskReader.Damaged();
        }
    }

    /** Its segment is removed: nothing is answered from it any more, so that the file can be closed. */
    void gone() {
        reader.gone(this);
    }
}
