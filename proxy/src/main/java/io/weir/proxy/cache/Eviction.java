package io.weir.proxy.cache;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * S3-FIFO (Yang et al., SOSP 2023) by bytes: new objects pass a small queue, and only those used there, or wanted again
 * soon after they left it, reach the main one; so a scan does not push out what is used. Hits only count. Guarded by the
 * store's lock.
 */
final class Eviction {
    private static final int SMALL_SHARE = 10;

    private final Queue small = new Queue(Node.SMALL);
    private final Queue main = new Queue(Node.MAIN);
    private final Ghosts ghosts;

    Eviction(Ghosts ghosts) {
        this.ghosts = ghosts;
    }

    void add(Node node) {
        node.uses(0);
        (ghosts.take(node.hash()) ? main : small).add(node);
    }

    /** Takes the place of another one: same queue, same use count. */
    void replace(Node old, Node by) {
        int uses = old.uses();
        Queue queue = old.queue == Node.MAIN ? main : small;
        remove(old);
        by.uses(uses);
        by.hits(old.hits());
        queue.add(by);
    }

    void remove(Node node) {
        if (node.queue != Node.OUT) {
            (node.queue == Node.MAIN ? main : small).remove(node);
        }
    }

    /** Bytes of all that could be given up. */
    long bytes() {
        return small.bytes + main.bytes;
    }

    /** Takes out the object to give up next, or null when there is none. */
    @Nullable
    Node evict() {
        for (; ; ) {
            boolean fromSmall = small.bytes * SMALL_SHARE > small.bytes + main.bytes || main.oldest == null;
            Node oldest = fromSmall ? small.oldest : main.oldest;
            if (oldest == null) {
                return null;
            }
            (fromSmall ? small : main).remove(oldest);
            if (oldest.uses() > (fromSmall ? 1 : 0)) {
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

    /** Some object for which the predicate holds, or null. */
    @Nullable
    Node find(Predicate<Node> wanted) {
        Node found = small.find(wanted);
        return found != null ? found : main.find(wanted);
    }

    /** A queue from oldest to newest. */
    private static final class Queue {
        private final byte name;
        private @Nullable Node oldest;
        private @Nullable Node newest;
        private long bytes;

        Queue(byte name) {
            this.name = name;
        }

        void add(Node node) {
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

        void remove(Node node) {
            Node before = node.older;
            Node after = node.newer;
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
            node.queue = Node.OUT;
            bytes -= node.memoryBytes();
        }

        @Nullable
        Node find(Predicate<Node> wanted) {
            for (Node node = oldest; node != null; node = node.newer) {
                if (wanted.test(node)) {
                    return node;
                }
            }
            return null;
        }
    }
}
