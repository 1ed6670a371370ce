package io.weir.journal;

import io.weir.journal.settings.JournalConfig;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The groups that wait for the journal's thread: many threads push, the journal's thread takes all at once. Shared,
 * without locks. Bounded in groups and bytes, including those being written; groups that only remove may exceed the
 * limits up to twice, because they make room.
 */
final class SubmitQueue {
    private final AtomicReference<@Nullable Group> newest = new AtomicReference<>();
    private final AtomicLong groups = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final long maxGroups;
    private final long maxBytes;

    SubmitQueue(JournalConfig config) {
        maxGroups = config.queueGroups();
        maxBytes = config.queueBytes().bytes();
    }

    /** Counts a group; returns false if it exceeds the limits and was not counted. */
    boolean admit(Group g, long charge) {
        int times = g.takesRoom() ? 1 : 2;
        long waiting = bytes.addAndGet(charge);
        boolean fits = waiting <= times * maxBytes || waiting == charge;
        if (groups.incrementAndGet() > times * maxGroups || !fits) {
            groups.decrementAndGet();
            bytes.addAndGet(-charge);
            return false;
        }
        g.charge = charge;
        return true;
    }

    void push(Group g) {
        newest.updateAndGet(before -> {
            g.next = before;
            return g;
        });
    }

    /** Takes all waiting groups, the oldest first. */
    @Nullable
    Group takeAll() {
        Group g = newest.getAndSet(null);
        Group oldest = null;
        while (g != null) {
            Group older = g.next;
            g.next = oldest;
            oldest = g;
            g = older;
        }
        return oldest;
    }

    boolean isEmpty() {
        return newest.get() == null;
    }

    /** Uncounts a completed group. */
    void done(Group g) {
        groups.decrementAndGet();
        bytes.addAndGet(-g.charge);
    }

    long groups() {
        return groups.get();
    }

    long bytes() {
        return bytes.get();
    }
}
