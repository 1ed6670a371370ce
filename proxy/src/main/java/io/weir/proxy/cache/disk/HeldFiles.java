package io.weir.proxy.cache.disk;

import java.util.ArrayDeque;

/**
 * Removed files whose large answers are still being sent: their space is not free yet. Clients that read slowly must not
 * keep any number of them, so the oldest are closed, and their answers cut; but not the only one, since it may be the
 * body of a single answer of any size. The writer's only, but for the figure.
 */
final class HeldFiles {
    private final DiskCounters counters;
    private final long most;
    /** From oldest to newest. */
    private final ArrayDeque<HeldFile> held = new ArrayDeque<>();

    private volatile long bytes;

    /** @param most bytes that they may have */
    HeldFiles(DiskCounters counters, long most) {
        this.counters = counters;
        this.most = most;
    }

    /** A file was removed and released. */
    void add(HeldFile removed) {
        held.add(removed);
        limit();
    }

    /** Forgets those that were sent by now. */
    void limit() {
        held.removeIf(file -> !file.used());
        long sum = held.stream().mapToLong(HeldFile::bytes).sum();
        for (HeldFile oldest = held.peek(); oldest != null && sum > most && held.size() > 1; oldest = held.peek()) {
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
