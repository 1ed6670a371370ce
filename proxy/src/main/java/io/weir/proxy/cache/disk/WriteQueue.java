package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.StoredObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is to be written, in order, and the rule that keeps purges final: a record becomes visible in the index only if
 * its key was not purged after it was queued. Both, and the index's change, happen under one lock. Shared by all loops
 * and the writer.
 */
final class WriteQueue {
    private static final int BATCH_TASKS = 512;
    private static final long BATCH_BYTES = 1 << 20;
    /** More purges than this wait only while the disk fails: then everything is purged instead. */
    private static final int MOST_NOTES = 100_000;

    /** One thing to write. */
    sealed interface Task {
        /** Its place in the order. */
        long ticket();
    }

    /**
     * An answer; the object is retained until {@link #done}.
     *
     * @param variant hash of the variant's key; 0: the answer has no variants
     */
    record Put(long ticket, long hash, long variant, StoredObject object, SourceConnection.Numbers connections)
            implements Task {}

    /** A purged key, a doubtful connection, or the purge of everything. */
    record Note(long ticket, RecordHead.Kind kind, long hash) implements Task {}

    /** Bytes were reserved for a body with a file of its own: the writer makes room for them. */
    record Room(long ticket, Made made) implements Task {
        /** Told once. */
        interface Made {
            void made(boolean room);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final DiskIndex index;
    private final long mostBytes;
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    /** Keys with answers that are queued or being written, and how many. */
    private final Map<Long, Integer> writing = new HashMap<>();
    /** Keys that were purged while answers of them were queued, by the ticket of the purge. */
    private final Map<Long, Long> purged = new HashMap<>();

    private long bytes;
    private int notes;
    private long next = 1;
    private long cleared;
    private long done;
    private boolean open;
    private boolean closed;

    WriteQueue(DiskIndex index, long mostBytes) {
        this.index = index;
        this.mostBytes = mostBytes;
    }

    /** Queues an answer; false if too much waits. The caller has retained the object. */
    boolean put(long hash, long variant, StoredObject object, SourceConnection.Numbers connections) {
        lock.lock();
        try {
            if (closed || (bytes > 0 && bytes + object.memoryBytes() > mostBytes)) {
                // an older answer of the key must not outlive the newer one, after a restart either
                purge(hash);
                return false;
            }
            bytes += object.memoryBytes();
            writing.merge(hash, 1, Integer::sum);
            tasks.add(new Put(next++, hash, variant, object, connections));
            work.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the key's records invisible, at once and for good; returns whether there were some. */
    boolean purge(long hash) {
        lock.lock();
        try {
            boolean queued = writing.containsKey(hash);
            boolean known = index.remove(hash) || queued;
            // before the index is complete, it does not tell whether there is a record
            if ((!known && open) || closed) {
                return false;
            }
            if (queued) {
                purged.put(hash, next);
            }
            note(RecordHead.Kind.GONE, hash);
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Makes all records invisible. */
    void clear() {
        lock.lock();
        try {
            everything();
        } finally {
            lock.unlock();
        }
    }

    private void everything() {
        index.clear();
        cleared = next;
        purged.clear();
        if (notes > 0) {
            tasks.removeIf(task -> task instanceof Note note && note.kind() != RecordHead.Kind.DOUBT);
        }
        notes = 0;
        tasks.add(new Note(next++, RecordHead.Kind.CLEAR, 0));
        work.signal();
    }

    /** Asks the writer for room; false if it does nothing any more, and tells nothing. */
    boolean room(Room.Made made) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            tasks.add(new Room(next++, made));
            work.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    void doubt(long connection) {
        lock.lock();
        try {
            note(RecordHead.Kind.DOUBT, connection);
        } finally {
            lock.unlock();
        }
    }

    private void note(RecordHead.Kind kind, long hash) {
        if (++notes > MOST_NOTES) {
            everything();
        } else {
            tasks.add(new Note(next++, kind, hash));
            work.signal();
        }
    }

    /** The next tasks in order; empty after the wait, or when it was closed and nothing is left. */
    List<Task> take(long waitMillis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(waitMillis);
            while (tasks.isEmpty() && !closed && left > 0) {
                left = work.awaitNanos(left);
            }
            return poll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #take}, without a wait. */
    List<Task> poll() {
        lock.lock();
        try {
            List<Task> batch = new ArrayList<>();
            long size = 0;
            for (Task task = tasks.peek();
                    task != null && batch.size() < BATCH_TASKS && size < BATCH_BYTES;
                    task = tasks.peek()) {
                batch.add(tasks.remove());
                if (task instanceof Put put) {
                    size += put.object().memoryBytes();
                } else if (task instanceof Note) {
                    notes = Math.max(0, notes - 1);
                }
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Makes a written record visible, unless its key was purged meanwhile. */
    boolean publish(Put put, long hash, long location) {
        lock.lock();
        try {
            if (!current(put)) {
                return false;
            }
            index.put(hash, location);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #publish} for a variant: only together with the marker that it was written for. */
    boolean publish(Put put, long location, long marker, boolean newMarker) {
        lock.lock();
        try {
            if (!current(put)) {
                return false;
            }
            if (newMarker) {
                index.put(put.hash(), marker);
            } else if (!Location.same(index.find(put.hash()), marker)) {
                return false;
            }
            index.put(put.variant(), location);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean current(Put put) {
        Long purge = purged.get(put.hash());
        return put.ticket() >= cleared && (purge == null || put.ticket() >= purge);
    }

    /** A batch was written, or given up: releases its objects. */
    void done(List<Task> batch) {
        lock.lock();
        try {
            long last = 0;
            for (Task task : batch) {
                last = task.ticket();
                if (task instanceof Put put) {
                    bytes -= put.object().memoryBytes();
                    writing.computeIfPresent(put.hash(), (_, n) -> n == 1 ? null : n - 1);
                }
            }
            long written = last;
            purged.values().removeIf(ticket -> ticket <= written);
            done = Math.max(done, written);
        } finally {
            lock.unlock();
        }
        for (Task task : batch) {
            if (task instanceof Put put) {
                put.object().release();
            }
        }
    }

    /** The index is complete, unless something waits that may concern it. */
    boolean openIfIdle() {
        lock.lock();
        try {
            open = tasks.isEmpty();
            return open;
        } finally {
            lock.unlock();
        }
    }

    /** The place in the order of what was queued last; -1 when nothing is queued any more. */
    long lastTicket() {
        lock.lock();
        try {
            return closed ? -1 : next - 1;
        } finally {
            lock.unlock();
        }
    }

    /** Whether all up to there was written, or given up. */
    boolean done(long ticket) {
        lock.lock();
        try {
            return done >= ticket;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is queued; what is queued is written. */
    void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether all that was queued is written, or given up. */
    boolean idle() {
        lock.lock();
        try {
            return (open || closed) && tasks.isEmpty() && done == next - 1;
        } finally {
            lock.unlock();
        }
    }

    boolean finished() {
        lock.lock();
        try {
            return closed && tasks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of objects that wait or are being written. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** The location of a key and whether it is unchanged is decided under this lock. */
    boolean holds(long hash, long location, long variant, long variantLocation) {
        lock.lock();
        try {
            return open
                    && Location.same(index.find(hash), location)
                    && (variant == 0 || Location.same(index.find(variant), variantLocation));
        } finally {
            lock.unlock();
        }
    }
}
