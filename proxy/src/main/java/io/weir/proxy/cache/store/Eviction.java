package io.weir.proxy.cache.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * S3-FIFO (Yang et al., SOSP 2023) by bytes: new objects pass a small queue, and only those used there, or requested
 * again soon after they left it, reach the main one; so a scan does not evict what is in use. Hits only increment a
 * count. Guarded by the store's lock.
 */
// The idea. Most objects of a web cache are requested once and never again, so it matters to evict those early. An
// object enters the small queue, a tenth of the bytes. At its end it goes to the main queue if it was used at least
// twice there; if not, it is evicted and only its key's hash is remembered (GhostTable). An object whose hash is
// remembered when it is stored again was evicted too early and enters the main queue at once. At the main queue's end
// an object that was used since it entered is reinserted with one use less, at most three times for what was used
// often; an object with no use left is evicted.
//
// Why not LRU, or W-TinyLFU as in Caffeine: a hit here increments a count that saturates at three, and moves nothing.
// So hits need neither the lock nor an access buffer that must be drained. For hit ratios on traces of web caches see
// the paper's evaluation.
//
// Differences from the paper: the shares are counted in bytes and not in objects, since objects differ in size by
// orders of magnitude; and the ghost entries are in a table of fixed size with four places a bucket instead of a queue;
// a full bucket drops its oldest.
//
// Invariants: an object is in one queue or in none; a queue's bytes are the sum of its objects'; evict() ends, because
// an object that moves to the main queue or is reinserted there has fewer uses each time, unless concurrent hits raise
// them faster than the queue is walked.
//
// Source: J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi, "FIFO queues are all you need for cache eviction", SOSP
// 2023.
final class Eviction {
    private static final int SMALL_SHARE = 10;

    private final Queue small = new Queue(Evictable.SMALL);
    private final Queue main = new Queue(Evictable.MAIN);
    private final GhostTable ghosts;

    // written with the store's lock held, read by monitoring
    private final AtomicLong probation = new AtomicLong();
    private final AtomicLong returning = new AtomicLong();
    private final AtomicLong promoted = new AtomicLong();
    private final AtomicLong kept = new AtomicLong();

    Eviction(GhostTable ghosts) {
        this.ghosts = ghosts;
    }

    void add(Evictable node) {
        node.uses(0);
        boolean returns = ghosts.take(node.hash());
        (returns ? returning : probation).incrementAndGet();
        (returns ? main : small).add(node);
    }

    /** Objects that entered the small queue. */
    long probation() {
        return probation.get();
    }

    /** Objects that entered the main queue, because they were evicted from the small one not long ago. */
    long returning() {
        return returning.get();
    }

    /** Objects that were used in the small queue, and moved to the main one. */
    long promoted() {
        return promoted.get();
    }

    /** How often an object of the main queue was kept because it was used. */
    long kept() {
        return kept.get();
    }

    /** Replaces an object by a newer version: same queue, same use count. */
    void replace(Evictable old, Evictable by) {
        int uses = old.uses();
        Queue queue = old.queue == Evictable.MAIN ? main : small;
        remove(old);
        by.uses(uses);
        by.hits(old.hits());
        queue.add(by);
    }

    void remove(Evictable node) {
        if (node.queue != Evictable.OUT) {
            (node.queue == Evictable.MAIN ? main : small).remove(node);
        }
    }

    /** Bytes of all evictable objects. */
    long bytes() {
        return small.bytes + main.bytes;
    }

    /** Removes and returns the next object to evict, or null if there is none. */
    @Nullable
    Evictable evict() {
        for (; ; ) {
            boolean fromSmall = small.bytes * SMALL_SHARE > small.bytes + main.bytes || main.oldest == null;
            Evictable oldest = fromSmall ? small.oldest : main.oldest;
            if (oldest == null) {
                return null;
            }
            (fromSmall ? small : main).remove(oldest);
            if (oldest.uses() > (fromSmall ? 1 : 0)) {
                (fromSmall ? promoted : kept).incrementAndGet();
                oldest.uses(fromSmall ? 0 : oldest.uses() - 1);
                main.add(oldest);
            } else {
                if (fromSmall) {
                    ghosts.add(oldest.hash());
                }
                return oldest;
            }
        }
    }

    /** Any object for which the predicate holds, or null. */
    @Nullable
    Evictable find(Predicate<Evictable> wanted) {
        Evictable found = small.find(wanted);
        return found != null ? found : main.find(wanted);
    }

    /** A queue from oldest to newest. */
    private static final class Queue {
        private final byte name;
        private @Nullable Evictable oldest;
        private @Nullable Evictable newest;
        private long bytes;

        Queue(byte name) {
            this.name = name;
        }

        void add(Evictable node) {
            node.queue = name;
            node.older = newest;
            node.newer = null;
            if (newest == null) {
                oldest = node;
            } else {
                newest.newer = node;
            }
            newest = node;
            bytes += node.memoryBytes();
        }

        void remove(Evictable node) {
            Evictable before = node.older;
            Evictable after = node.newer;
            if (before == null) {
                oldest = after;
            } else {
                before.newer = after;
            }
            if (after == null) {
                newest = before;
            } else {
                after.older = before;
            }
            node.older = null;
            node.newer = null;
            node.queue = Evictable.OUT;
            bytes -= node.memoryBytes();
        }

        @Nullable
        Evictable find(Predicate<Evictable> wanted) {
            for (Evictable node = oldest; node != null; node = node.newer) {
                if (wanted.test(node)) {
                    return node;
                }
            }
            return null;
        }
    }
}
