package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.store.Block;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.LowerBody;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An answer that becomes a stored object again: memory is allocated first, then filled, then the store gets it. */
final class Restored implements AutoCloseable {
    private static final int SMALLEST = 4 << 10;

    private final Store store;
    private final long hash;
    private final byte[] key;
    private final Metadata meta;
    private final String variantKey;
    private final List<Block> blocks = new ArrayList<>(1);
    private final List<int[]> spans = new ArrayList<>(1);
    private long length;
    private int at;
    private int position;
    private boolean taken;
    private @Nullable LowerBody below;

    Restored(Store store, long hash, byte[] key, Metadata meta, String variantKey) {
        this.store = store;
        this.hash = hash;
        this.key = key;
        this.meta = meta;
        this.variantKey = variantKey;
    }

    /** Allocates all memory and copies the head; false if there is no room. */
    boolean begin(byte[] head, long bodyLength) {
        if (bodyLength > store.largestBody()) {
            return false;
        }
        length = bodyLength;
        long left = head.length + bodyLength;
        while (left > 0) {
            int want = (int) Math.min(left, Block.LARGEST);
            int least = blocks.isEmpty() ? Math.max(head.length, Math.min(want, SMALLEST)) : Math.min(want, SMALLEST);
            Block block = least > store.largestBlock() ? null : store.allocate(want, least);
            if (block == null) {
                return false;
            }
            int from = blocks.isEmpty() ? head.length : 0;
            blocks.add(block);
            spans.add(new int[] {from, from});
            left -= Math.min(left, Math.min(block.bytes(), want));
        }
        blocks.getFirst().buffer().setBytes(0, head);
        position = head.length;
        return true;
    }

    /** Allocates memory for the head, and copies it; the body stays below. False if there is no room. */
    boolean begin(byte[] head, LowerBody body, long bodyLength) {
        if (!begin(head, 0)) {
            return false;
        }
        length = bodyLength;
        body.retain();
        below = body;
        return true;
    }

    /** The memory that follows, at most so many bytes of it, to be filled with the body's next ones. */
    ByteBuffer next(int most) {
        if (blocks.get(at).bytes() == position) {
            at++;
            position = 0;
        }
        Block block = blocks.get(at);
        int n = Math.min(block.bytes() - position, most);
        ByteBuffer memory = block.buffer().nioBuffer(position, n);
        position += n;
        spans.get(at)[1] = position;
        return memory;
    }

    /** Copies a piece of the body. */
    void add(ByteBuffer piece) {
        while (piece.hasRemaining()) {
            ByteBuffer memory = next(piece.remaining());
            int n = memory.remaining();
            memory.put(piece.slice(piece.position(), n));
            piece.position(piece.position() + n);
        }
    }

    /**
     * Puts it into the store, if the disk's record is still valid and memory has not got the answer meanwhile.
     *
     * @param valid called with the store's lock held
     */
    boolean store(BooleanSupplier valid) {
        long heap = StoredObject.heapBytes(blocks.size(), meta.vary(), variantKey)
                + FetchedFrom.heapBytes(meta.from())
                + (below == null ? 0 : below.heapBytes());
        store.lock().lock();
        try {
            if (!valid.getAsBoolean() || !store.reserve(heap)) {
                return false;
            }
            CacheEntry entry = store.enter(hash, key);
            if (entry == null || entry.has(variantKey)) {
                store.budget().release(heap);
                return false;
            }
            taken = true;
            store.putRestored(new StoredObject(
                    entry,
                    store.budget(),
                    meta.layout(),
                    meta.freshness(),
                    meta.vary(),
                    variantKey,
                    SourceConnection.restored(meta.connections(), store.lower()),
                    blocks.toArray(Block[]::new),
                    spans.stream().flatMapToInt(Arrays::stream).toArray(),
                    length,
                    heap,
                    meta.from(),
                    below));
            return true;
        } finally {
            store.lock().unlock();
        }
    }

    @Override
    public void close() {
        if (!taken) {
            blocks.forEach(block -> block.buffer().release());
            if (below != null) {
                below.release();
            }
        }
    }
}
