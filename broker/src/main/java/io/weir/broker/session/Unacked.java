package io.weir.broker.session;

import io.weir.broker.queue.QueueEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A session's unacknowledged deliveries, by delivery tag, in order. The latest are in a ring; if a full ring is sparse,
 * its older half moves to a tree, so that memory is proportional to the number of unacknowledged deliveries, not to the
 * distance from the oldest to the newest. Confined to the session's loop.
 */
public final class Unacked {
    /** A full ring is sparse if it holds at most this fraction (1/n) of its length. */
    private static final int SPARSE = 4;

    private static final int LEAST_TO_LEAVE = 256;

    private @Nullable QueueEntry[] ring = new @Nullable QueueEntry[16];
    private final TreeMap<Long, QueueEntry> left = new TreeMap<>();
    /** Tags from here on are in the ring. */
    private long first = 1;

    private long next = 1;
    private int size;

    public int size() {
        return size;
    }

    /** The slots allocated, used or not. */
    public int capacity() {
        return ring.length + left.size();
    }

    /** Returns the tag of the next delivery, without keeping an entry for it. */
    public long skip() {
        if (size == 0) {
            first = next + 1;
        } else {
            room();
        }
        return next++;
    }

    /** Keeps an entry under the next tag. */
    public long add(QueueEntry e) {
        room();
        long tag = next++;
        ring[index(tag)] = e;
        e.tag = tag;
        size++;
        return tag;
    }

    public long oldest() {
        return left.isEmpty() ? first : left.firstKey();
    }

    /** The last tag assigned. */
    public long newest() {
        return next - 1;
    }

    /** The first entry with a tag in the range, both ends included; null if there is none. */
    @Nullable
    public QueueEntry first(long from, long to) {
        if (from < first && !left.isEmpty()) {
            var found = left.ceilingEntry(from);
            if (found != null) {
                return found.getKey() <= to ? found.getValue() : null;
            }
        }
        long last = Math.min(to, newest());
        for (long t = Math.max(from, first); t <= last; t++) {
            QueueEntry e = ring[index(t)];
            if (e != null) {
                return e;
            }
        }
        return null;
    }

    @Nullable
    public QueueEntry get(long tag) {
        if (tag < first) {
            return left.get(tag);
        }
        return tag >= next ? null : ring[index(tag)];
    }

    @Nullable
    public QueueEntry remove(long tag) {
        if (tag < first) {
            QueueEntry e = left.remove(tag);
            if (e != null) {
                size--;
            }
            return e;
        }
        QueueEntry e = get(tag);
        if (e != null) {
            ring[index(tag)] = null;
            size--;
            pass();
        }
        return e;
    }

    /** Removes all, in order. */
    public List<QueueEntry> removeAll() {
        List<QueueEntry> all = new ArrayList<>(size);
        all.addAll(left.values());
        left.clear();
        for (long tag = first; tag < next; tag++) {
            QueueEntry e = ring[index(tag)];
            if (e != null) {
                all.add(e);
                ring[index(tag)] = null;
            }
        }
        size = 0;
        first = next;
        return all;
    }

    private void pass() {
        while (first < next && ring[index(first)] == null) {
            first++;
        }
    }

    private int index(long tag) {
        return (int) (tag & (ring.length - 1));
    }

    private void room() {
        if (next - first < ring.length) {
            return;
        }
        if (ring.length >= LEAST_TO_LEAVE && size - left.size() <= ring.length / SPARSE) {
            leave(first + ring.length / 2);
            return;
        }
        @Nullable QueueEntry[] old = ring;
        ring = new @Nullable QueueEntry[old.length * 2];
        for (long tag = first; tag < next; tag++) {
            ring[index(tag)] = old[(int) (tag & (old.length - 1))];
        }
    }

    /** Moves the entries with smaller tags from the ring to the tree. */
    private void leave(long end) {
        for (; first < end; first++) {
            QueueEntry e = ring[index(first)];
            if (e != null) {
                left.put(first, e);
                ring[index(first)] = null;
            }
        }
        pass();
    }
}
