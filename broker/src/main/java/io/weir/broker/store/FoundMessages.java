package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages found at a start, in the order of their ids. A start holds all of them at once, in addition to the
 * journal's index, so they are stored compactly. Confined to the opening thread; used for one start.
 */
final class FoundMessages {
    private long[] ids = new long[1024];
    private @Nullable Object[] copies = new @Nullable Object[1024];
    private @Nullable ByteBuf[] blocks = new @Nullable ByteBuf[1024];
    private int count;

    /** @param id higher than those before */
    void add(long id, List<StoredCopy> of, ByteBuf block) {
        if (count == ids.length) {
            int more = count + (count >> 1);
            ids = Arrays.copyOf(ids, more);
            copies = Arrays.copyOf(copies, more);
            blocks = Arrays.copyOf(blocks, more);
        }
        ids[count] = id;
        copies[count] = of;
        blocks[count] = block;
        count++;
    }

    /** Releases all. */
    void release() {
        for (int i = 0; i < count; i++) {
            ByteBuf block = blocks[i];
            if (block != null) {
                block.release();
            }
        }
        ids = new long[0];
        copies = new @Nullable Object[0];
        blocks = new @Nullable ByteBuf[0];
        count = 0;
    }

    int count() {
        return count;
    }

    /** The copies of a message, or null if there is no such message. */
    @Nullable
    List<StoredCopy> copies(long id) {
        int i = Arrays.binarySearch(ids, 0, count, id);
        return i < 0 ? null : copiesAt(i);
    }

    long id(int i) {
        return ids[i];
    }

    @SuppressWarnings("unchecked") // only add writes the array
    List<StoredCopy> copiesAt(int i) {
        Object of = copies[i];
        if (of == null) {
            throw new IllegalStateException("message " + ids[i] + " was already taken");
        }
        return (List<StoredCopy>) of;
    }

    /** Transfers a message's block to the caller and drops its references here. */
    ByteBuf take(int i) {
        ByteBuf block = blocks[i];
        if (block == null) {
            throw new IllegalStateException("message " + ids[i] + " was already taken");
        }
        blocks[i] = null;
        copies[i] = null;
        return block;
    }
}
