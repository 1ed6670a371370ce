package io.weir.broker.loop;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The read buffers that hold a loop's waiting messages. A message waits in the buffer it was read into, without a copy,
 * and keeps the whole buffer from being freed. So the bytes of each buffer that still belong to messages are counted,
 * and when all buffers together exceed one and a half times these bytes plus {@link #SLACK}, the messages in buffers
 * that are mostly waste are copied out. Once a second this is done without the slack: a small message does not keep a
 * large buffer for long. Confined to its loop, but for the figures.
 */
public final class ReadBuffers {
    /** Waste that is tolerated for a while: buffers that are being read into, or whose first messages are gone. */
    public static final int SLACK = 1 << 20;

    private static final int FIRST_SLOTS = 8;

    private final AtomicLong pinned = new AtomicLong();
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong moved = new AtomicLong();
    private @Nullable Page first;
    private @Nullable Page last;

    /** Whether a buffer is kept mostly as waste. */
    public static boolean wasteful(long capacity, long used) {
        return 2 * capacity > 3 * used;
    }

    /** Bytes of all buffers that hold messages. From any thread. */
    public long pinned() {
        return pinned.getOpaque();
    }

    /** Bytes of these that belong to messages. From any thread. */
    public long used() {
        return used.getOpaque();
    }

    /** Messages that were copied out so far. From any thread. */
    public long moved() {
        return moved.getOpaque();
    }

    /**
     * Adds a message that waits in the buffer it was read into.
     *
     * @param capacity bytes of memory that the buffer occupies
     */
    public void add(Held m, ByteBuf in, int capacity) {
        Page p = last;
        if (p == null || !p.is(in)) {
            p = new Page(in.retain(), capacity);
            link(p);
        }
        p.add(m);
        change(used, m.size());
        tidy(SLACK);
    }

    /** Releases the buffers that are mostly waste, if the total waste exceeds {@code slack} bytes. */
    public void tidy(long slack) {
        if (!wasteful(pinned() - slack, used())) {
            return;
        }
        for (Page p = first; p != null; ) {
            Page behind = p.next;
            if (wasteful(p.capacity, p.bytes)) {
                p.empty();
            }
            p = behind;
        }
    }

    private void link(Page p) {
        Page before = last;
        p.previous = before;
        if (before == null) {
            first = p;
        } else {
            before.next = p;
        }
        last = p;
        change(pinned, p.capacity);
    }

    private void unlink(Page p) {
        Page before = p.previous;
        Page behind = p.next;
        if (before == null) {
            first = behind;
        } else {
            before.next = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.previous = before;
        }
        p.previous = null;
        p.next = null;
        change(pinned, -p.capacity);
        p.buffer.release();
    }

    /** Called by the owning loop only. */
    private static void change(AtomicLong figure, long by) {
        figure.setOpaque(figure.getPlain() + by);
    }

    /** A message that waits in a buffer. */
    public interface Held {
        /** Bytes of the buffer that belong to it. */
        int size();

        /** It is held in a page, which retains the buffer. */
        void lies(Page in, int slot);

        /** Copies its bytes out, because its page is being freed. */
        void moveOut(ByteBuf from);
    }

    /** A retained buffer and the messages that wait in it. Lives until the last is gone or all are copied out. */
    public final class Page {
        private final ByteBuf buffer;
        private final int capacity;
        private @Nullable Held[] messages = new @Nullable Held[FIRST_SLOTS];
        private int slots;
        private int count;
        private long bytes;

        @Nullable
        private Page previous;

        @Nullable
        private Page next;

        private Page(ByteBuf buffer, int capacity) {
            this.buffer = buffer;
            this.capacity = capacity;
        }

        @SuppressWarnings("ReferenceEquality") // ByteBuf.equals compares contents, identity is needed
        private boolean is(ByteBuf other) {
            return buffer == other;
        }

        public ByteBuf slice(int start, int size) {
            return buffer.slice(start, size);
        }

        private void add(Held m) {
            if (slots == messages.length) {
                messages = Arrays.copyOf(messages, slots * 2);
            }
            m.lies(this, slots);
            messages[slots++] = m;
            count++;
            bytes += m.size();
        }

        /** A message is gone. */
        public void left(int slot, int size) {
            messages[slot] = null;
            bytes -= size;
            change(used, -size);
            if (--count == 0) {
                unlink(this);
            }
            tidy(SLACK);
        }

        private void empty() {
            for (int i = 0; i < slots; i++) {
                Held m = messages[i];
                if (m != null) {
                    m.moveOut(buffer);
                }
            }
            change(moved, count);
            change(used, -bytes);
            unlink(this);
        }
    }
}
