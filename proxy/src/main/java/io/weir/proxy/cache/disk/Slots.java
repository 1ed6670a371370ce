package io.weir.proxy.cache.disk;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The segments by the numbers that locations have of them. Written by one thread, read by all. */
final class Slots {
    private final AtomicReferenceArray<@Nullable Segment> slots = new AtomicReferenceArray<>(Location.MOST_SEGMENTS);
    private int next;

    /** A number that no segment has; not that of one which was removed lately. */
    int free() {
        while (slots.get(next) != null) {
            next = (next + 1) % Location.MOST_SEGMENTS;
        }
        int slot = next;
        next = (next + 1) % Location.MOST_SEGMENTS;
        return slot;
    }

    void add(Segment segment) {
        slots.set(segment.slot, segment);
    }

    void remove(Segment segment) {
        slots.set(segment.slot, null);
    }

    @Nullable
    Segment get(int slot) {
        return slots.get(slot);
    }

    /** The segment, retained; null if there is none any more. */
    @Nullable
    Segment retain(int slot) {
        Segment segment = slots.get(slot);
        return segment != null && segment.retain() ? segment : null;
    }
}
