package io.weir.broker.loop;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The read buffers that a loop's waiting messages lie in. A message waits where it was read, without a copy; the buffer
 * stays with it, whatever else was in it. So it is counted how much of each buffer still belongs to messages, and as
 * soon as all buffers together are larger than one and a half times what belongs to messages, and {@link #SLACK}, the
 * messages in those that are mostly waste are copied out. Once a second, without the slack: a small message does not
 * keep a large buffer for long. Confined to its loop, but for the figures.
 */
public final class ReadBuffers {
    /** Waste that is left alone for a while: buffers that are being read, or whose first messages are gone. */
    public static final int SLACK = 1 << 20;

    private static final int FIRST_SLOTS = 8;

    private final AtomicLong pinned = new AtomicLong();
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong moved = new AtomicLong();
    private @Nullable Page first;
    private @Nullable Page last;

    /** Whether a buffer is mostly kept for nothing. */
    public static boolean wasteful(long capacity, long used) {
        return 2 * capacity > 3 * used;
    }

    /** Bytes of all buffers that messages lie in. From any thread. */
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
     * A message begins to wait in the buffer that it was read into.
     *
     * @param capacity bytes that the buffer keeps from being used for anything else
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

    /** Gives up the buffers that are mostly waste, if there is more of it than this. */
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

    /** By the owner alone. */
    private static void change(AtomicLong figure, long by) {
        figure.setOpaque(figure.getPlain() + by);
    }

    /** What waits in a buffer: a message. */
    public interface Held {
        /** Bytes of the buffer that belong to it. */
        int size();

        /** It lies in a page from now on, which holds the buffer. */
        void lies(Page in, int slot);

        /** Its page is being freed: it copies its bytes out. */
        void moveOut(ByteBuf from);
    }

    /** A buffer, held, and the messages that wait in it. Lives until the last is gone or all are moved out. */
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

        @SuppressWarnings("ReferenceEquality") // buffers with the same bytes are equal and not the same
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
