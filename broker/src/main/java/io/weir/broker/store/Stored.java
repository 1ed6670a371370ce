package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.journal.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One message in the store, with a copy for each queue that refers to it. Shared by the destination's loop, sessions that
 * commit, and the journal's thread; what is shared is atomic. Lives until its last copy is removed.
 */
final class Stored implements Payload {
    /** The journal has not processed it yet: if it is acknowledged now, it is never written. */
    private static final int WAITING = 0;

    private static final int WRITTEN = 1;
    private static final int CANCELLED = 2;

    private final AtomicInteger state;
    /** Copies whose removal is not durable yet. */
    final AtomicInteger remaining;

    private final @Nullable ByteBuf block;
    private final @Nullable ByteBuf head;
    private final int length;
    final List<StoredCopy> copies;
    long id;

    /** Creates a new message; takes ownership of the head and of a reference to the block. */
    Stored(List<StoredCopy> copies, ByteBuf head, ByteBuf block) {
        this.copies = copies;
        this.head = head;
        this.block = block;
        this.length = head.readableBytes() + block.readableBytes();
        this.state = new AtomicInteger(WAITING);
        this.remaining = new AtomicInteger(copies.size());
    }

    /** Creates a recovered message. */
    Stored(List<StoredCopy> copies, long id, int remaining) {
        this.copies = copies;
        this.head = null;
        this.block = null;
        this.length = 0;
        this.id = id;
        this.state = new AtomicInteger(WRITTEN);
        this.remaining = new AtomicInteger(remaining);
    }

    /**
     * Cancels its write, because it is not needed any more; returns true if the journal had not processed it, so that
     * it is never written.
     */
    boolean cancel() {
        return state.compareAndSet(WAITING, CANCELLED);
    }

    /** All entries of the journal that refer to it. */
    List<Long> entries() {
        List<Long> all = new ArrayList<>();
        all.add(id);
        for (StoredCopy c : copies) {
            if (c.mark != 0) {
                all.add(c.mark);
            }
            if (c.removal != 0) {
                all.add(c.removal);
            }
        }
        return all;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public boolean wanted() {
        return state.compareAndSet(WAITING, WRITTEN) || state.get() == WRITTEN;
    }

    @Override
    public void writeTo(ByteBuffer to) {
        put(head, to);
        put(block, to);
    }

    private static void put(@Nullable ByteBuf from, ByteBuffer to) {
        if (from != null) {
            int limit = to.limit();
            to.limit(to.position() + from.readableBytes());
            from.getBytes(from.readerIndex(), to);
            to.limit(limit);
        }
    }

    @Override
    public void release() {
        if (head != null) {
            head.release();
        }
        if (block != null) {
            block.release();
        }
    }
}
