package io.weir.proxy.cache.disk;

import java.util.ArrayDeque;

/**
 * Removed segments whose large answers are still being sent: their space is not free yet. Clients that read slowly must
 * not keep any number of them, so the oldest are closed, and their answers cut. The writer's only, but for the figure.
 */
final class HeldSegments {
    private final DiskCounters counters;
    private final long most;
    /** From oldest to newest. */
    private final ArrayDeque<Segment> held = new ArrayDeque<>();

    private volatile long bytes;

    /** @param most bytes that they may have */
    HeldSegments(DiskCounters counters, long most) {
        this.counters = counters;
        this.most = most;
    }

    /** A segment was removed and released. */
    void add(Segment removed) {
        held.add(removed);
        limit();
    }

    /** Forgets those that were sent by now. */
    void limit() {
        held.removeIf(segment -> !segment.used());
        long sum = held.stream().mapToLong(Segment::bytes).sum();
        for (Segment oldest = held.peek(); oldest != null && sum > most; oldest = held.peek()) {
            held.remove();
            oldest.cut();
            counters.refused("slow");
            sum -= oldest.bytes();
        }
        bytes = sum;
    }

    long bytes() {
        return bytes;
    }
}
