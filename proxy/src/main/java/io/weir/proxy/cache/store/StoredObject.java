package io.weir.proxy.cache.store;

import io.netty.buffer.ByteBuf;
import io.weir.http.FieldName;
import io.weir.http.FieldValues;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.caching.Freshness;
import io.weir.http.caching.Validators;
import io.weir.http.caching.Vary;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A stored response: encoded head and body, in memory of the store, reference-counted. Immutable except for its links.
 * Shared: any loop may retain it, take slices of it, and release it; slices stay valid when the object is evicted.
 */
public final class StoredObject extends Evictable implements FieldValues {
    /** Heap bytes without blocks: the object, its freshness and its arrays for one block. Measured by a test. */
    static final int HEAP_BYTES = 264;

    /** Heap bytes of each further block in its arrays. */
    static final int BLOCK_HEAP_BYTES = 12;

    /** The store's overhead of an object in one block: what the Sun proxy calls a file entry's bytes. */
    public static final long BOOKKEEPING = CacheEntry.HEAP_BYTES + heapBytes(1, Vary.NONE, "") + Block.HEAP_BYTES;

    private static final VarHandle REFS;

    static {
        try {
            REFS = MethodHandles.lookup().findVarHandle(StoredObject.class, "refs", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CacheEntry entry;
    private final Budget budget;
    private final StoredHead head;
    private final Freshness freshness;
    private final Vary vary;
    private final String varyKey;
    private final SourceConnection provenance;
    private final Block[] blocks;
    // per block: where the body starts and ends in it
    private final int[] spans;
    private final long length;
    private final long heapBytes;
    private final long memoryBytes;
    private final @Nullable FetchedFrom from;
    private final @Nullable LowerBody below;
    private volatile @Nullable StoredObject nextVariant;
    private volatile int refs = 1;

    /**
     * Takes over one reference to each block and to the body below, and {@code heapBytes} that were reserved.
     *
     * @param length of the body, wherever it is
     * @param below the body, if it stays below the memory; then the blocks have only the head
     */
    public StoredObject(
            CacheEntry entry,
            Budget budget,
            StoredHead head,
            Freshness freshness,
            Vary vary,
            String varyKey,
            SourceConnection provenance,
            Block[] blocks,
            int[] spans,
            long length,
            long heapBytes,
            @Nullable FetchedFrom from,
            @Nullable LowerBody below) {
        this.entry = entry;
        this.budget = budget;
        this.head = head;
        this.freshness = freshness;
        this.vary = vary;
        this.varyKey = varyKey;
        this.provenance = provenance;
        this.blocks = blocks;
        this.spans = spans;
        this.length = length;
        this.heapBytes = heapBytes;
        this.from = from;
        this.below = below;
        long bytes = heapBytes + CacheEntry.heapBytes(entry.key.length);
        for (Block block : blocks) {
            bytes += block.bytes() + Block.HEAP_BYTES;
        }
        this.memoryBytes = bytes;
    }

    /** Heap bytes to reserve for an object, without its blocks. */
    public static long heapBytes(int blocks, Vary vary, String varyKey) {
        long names = vary == Vary.NONE ? 0 : 64 + 80L * vary.names().size();
        long key = varyKey.isEmpty() ? 0 : 48 + ((varyKey.length() + 7L) & ~7L);
        return HEAP_BYTES + (long) BLOCK_HEAP_BYTES * blocks + names + key;
    }

    /** Status code. */
    public int status() {
        return head.status();
    }

    /** HTTP version of the response. */
    public Version received() {
        return head.received();
    }

    /** Bytes of the body; -1 while a body of unknown length is being received. */
    public long contentLength() {
        return length;
    }

    /**
     * Status line and all end-to-end fields, Date included, without the empty line at the end; as a retained slice that
     * the caller releases. Content-Length is in it unless {@link #contentLength} is -1. Not in it: Age, Connection, Via
     * of this hop, Cache-Status.
     */
    public ByteBuf head() {
        return blocks[0].buffer().retainedSlice(0, head.length());
    }

    /** Length of {@link #head} in bytes. */
    public int headLength() {
        return head.length();
    }

    /** Copies {@link #head} to a buffer: cheaper than a gathered write for small answers. */
    public void writeHead(ByteBuf out) {
        out.writeBytes(blocks[0].buffer(), 0, head.length());
    }

    /** The field lines that belong in a 304 for this object (RFC 9110 15.4.5), without a status line; retained. */
    public ByteBuf notModifiedFields() {
        return blocks[0].buffer().retainedSlice(head.fieldsStart(), head.notModifiedEnd() - head.fieldsStart());
    }

    /** Copies {@link #notModifiedFields} to a buffer. */
    public void writeNotModifiedFields(ByteBuf out) {
        out.writeBytes(blocks[0].buffer(), head.fieldsStart(), head.notModifiedEnd() - head.fieldsStart());
    }

    /** Number of pieces of the body. */
    public int bodyParts() {
        return blocks.length;
    }

    /** Piece {@code i} of the body, a retained slice that the caller releases; may be empty. */
    public ByteBuf bodyPart(int i) {
        return blocks[i].buffer().retainedSlice(spans[2 * i], spans[2 * i + 1] - spans[2 * i]);
    }

    /**
     * The part of piece {@code i} that lies in bytes {@code [from, to)} of the body, for ranges; a retained slice,
     * possibly empty.
     */
    public ByteBuf bodyPart(int i, long from, long to) {
        long start = 0;
        for (int k = 0; k < i; k++) {
            start += spans[2 * k + 1] - spans[2 * k];
        }
        int size = spans[2 * i + 1] - spans[2 * i];
        int low = Math.clamp(from - start, 0, size);
        int high = Math.clamp(to - start, low, size);
        return blocks[i].buffer().retainedSlice(spans[2 * i] + low, high - low);
    }

    /** Copies the whole body to a buffer. */
    public void writeBody(ByteBuf out) {
        for (int i = 0; i < blocks.length; i++) {
            out.writeBytes(blocks[i].buffer(), spans[2 * i], spans[2 * i + 1] - spans[2 * i]);
        }
    }

    /** The addresses that it was fetched from; null: from a configured origin. */
    public @Nullable FetchedFrom from() {
        return from;
    }

    /** The body, if it is not in memory: then {@link #bodyParts} have nothing. */
    public @Nullable LowerBody below() {
        return below;
    }

    /** Freshness, for Age and ttl. */
    public Freshness freshness() {
        return freshness;
    }

    /** Entity tag and Last-Modified, read from the head. */
    public Validators validators() {
        return Validators.of(this, Math.floorDiv(freshness.responseMillis(), 1000));
    }

    /** Read from the head, for conditional requests and ranges: all lines as text cost a quarter of a 304. */
    @Override
    public @Nullable String combined(FieldName name) {
        return head.combined(blocks[0].buffer(), name);
    }

    /** The stored fields, read from the head. Allocates. */
    public Fields fields() {
        return head.fields(blocks[0].buffer());
    }

    /** All bytes that this object uses of the budget, its share of the bookkeeping included. */
    @Override
    public long memoryBytes() {
        return memoryBytes;
    }

    /** Adds a reference; {@link #release} drops it. */
    public StoredObject retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("the object was released");
        }
        return this;
    }

    /** As {@link #retain}, but returns false if the object was already freed. */
    public boolean tryRetain() {
        for (int now = refs; now > 0; now = refs) {
            if (REFS.compareAndSet(this, now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Drops a reference taken by {@link #retain} or by a decision. */
    public void release() {
        int left = (int) REFS.getAndAdd(this, -1) - 1;
        if (left == 0) {
            for (Block block : blocks) {
                block.buffer().release();
            }
            budget.release(heapBytes);
            if (below != null) {
                below.release();
            }
        } else if (left < 0) {
            throw new IllegalStateException("released too often");
        }
    }

    public int refs() {
        return refs;
    }

    public CacheEntry entry() {
        return entry;
    }

    @Override
    long hash() {
        return entry.hash;
    }

    public Vary vary() {
        return vary;
    }

    public String varyKey() {
        return varyKey;
    }

    public SourceConnection provenance() {
        return provenance;
    }

    public StoredHead headLayout() {
        return head;
    }

    public ByteBuf headBuffer() {
        return blocks[0].buffer();
    }

    public Block block(int i) {
        return blocks[i];
    }

    public int bodyStart(int i) {
        return spans[2 * i];
    }

    public int bodyEnd(int i) {
        return spans[2 * i + 1];
    }

    @Nullable
    public StoredObject nextVariant() {
        return nextVariant;
    }

    void nextVariant(@Nullable StoredObject next) {
        nextVariant = next;
    }

    boolean liesIn(Region region) {
        for (Block block : blocks) {
            if (block.span().region == region) {
                return true;
            }
        }
        return false;
    }
}
