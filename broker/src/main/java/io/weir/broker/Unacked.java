package io.weir.broker;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session was given and did not acknowledge, by delivery tag, in order. A ring that grows with the distance between
 * the oldest and the newest. Confined to the session's loop.
 */
final class Unacked {
    private @Nullable Entry[] ring = new @Nullable Entry[16];
    private long first = 1;
    private long next = 1;
    private int size;

    int size() {
        return size;
    }

    /** The tag of the delivery that comes next; nothing is kept under it. */
    long skip() {
        long tag = next++;
        if (size == 0) {
            first = next;
        } else {
            room();
        }
        return tag;
    }

    /** Keeps an entry under the next tag. */
    long add(Entry e) {
        room();
        long tag = next++;
        ring[index(tag)] = e;
        size++;
        return tag;
    }

    long oldest() {
        return first;
    }

    /** The tag given last. */
    long newest() {
        return next - 1;
    }

    @Nullable
    Entry get(long tag) {
        return tag < first || tag >= next ? null : ring[index(tag)];
    }

    @Nullable
    Entry remove(long tag) {
        Entry e = get(tag);
        if (e != null) {
            ring[index(tag)] = null;
            size--;
            while (first < next && ring[index(first)] == null) {
                first++;
            }
        }
        return e;
    }

    /** Removes all, in order. */
    List<Entry> removeAll() {
        List<Entry> all = new ArrayList<>(size);
        for (long tag = first; tag < next; tag++) {
            Entry e = ring[index(tag)];
            if (e != null) {
                all.add(e);
                ring[index(tag)] = null;
            }
        }
        size = 0;
        first = next;
        return all;
    }

    private int index(long tag) {
        return (int) (tag & (ring.length - 1));
    }

    private void room() {
        if (next - first < ring.length) {
            return;
        }
        @Nullable Entry[] old = ring;
        ring = new @Nullable Entry[old.length * 2];
        for (long tag = first; tag < next; tag++) {
            ring[index(tag)] = old[(int) (tag & (old.length - 1))];
        }
    }
}
