package io.weir.proxy.cache.store;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeSet;

/** A cache of so many bytes with an eviction policy, and what it hits. Confined to its thread. */
abstract sealed class CachePolicy {
    private final Map<Integer, Item> items = new HashMap<>();
    private final long room;
    private long bytes;
    private long requests;
    private long hits;
    private long askedBytes;
    private long hitBytes;

    CachePolicy(long room) {
        this.room = room;
    }

    /** A stored object: with the state of each policy. */
    static final class Item extends Evictable {
        private final int id;
        private final int size;
        private int count;
        private long last;

        Item(int id, int size) {
            this.id = id;
            this.size = size;
        }

        @Override
        long memoryBytes() {
            return size;
        }

        @Override
        long hash() {
            long h = (id + 1) * 0x9E3779B97F4A7C15L;
            return h ^ h >>> 31;
        }
    }

    /** An object is requested: it is stored if it is not there. */
    final void request(int id, int size) {
        requests++;
        askedBytes += size;
        Item item = items.get(id);
        if (item != null) {
            hits++;
            hitBytes += size;
            used(item);
            return;
        }
        if (size > room) {
            return;
        }
        while (bytes + size > room) {
            Item evicted = evict();
            items.remove(evicted.id);
            bytes -= evicted.size;
        }
        Item fresh = new Item(id, size);
        items.put(id, fresh);
        bytes += size;
        add(fresh);
    }

    abstract void add(Item item);

    abstract void used(Item item);

    abstract Item evict();

    final boolean has(int id) {
        return items.containsKey(id);
    }

    final double objectHitRatio() {
        return hits / (double) requests;
    }

    final double byteHitRatio() {
        return hitBytes / (double) askedBytes;
    }

    /** The store's. */
    static final class S3Fifo extends CachePolicy {
        private final Eviction eviction;

        S3Fifo(long room) {
            super(room);
            eviction = new Eviction(new GhostTable(Store.ghosts(room)));
        }

        @Override
        void add(Item item) {
            eviction.add(item);
        }

        @Override
        void used(Item item) {
            item.used();
        }

        @Override
        Item evict() {
            return (Item) Objects.requireNonNull(eviction.evict());
        }
    }

    /** The least recently used goes. */
    static final class Lru extends CachePolicy {
        private final Map<Item, Boolean> order = new LinkedHashMap<>(16, 0.75f, true);

        Lru(long room) {
            super(room);
        }

        @Override
        void add(Item item) {
            order.put(item, true);
        }

        @Override
        void used(Item item) {
            order.get(item);
        }

        @Override
        Item evict() {
            Item oldest = order.keySet().iterator().next();
            order.remove(oldest);
            return oldest;
        }
    }

    /** The oldest goes. */
    static final class Fifo extends CachePolicy {
        private final Queue<Item> order = new ArrayDeque<>();

        Fifo(long room) {
            super(room);
        }

        @Override
        void add(Item item) {
            order.add(item);
        }

        @Override
        void used(Item item) {
            // a queue does not care
        }

        @Override
        Item evict() {
            return order.remove();
        }
    }

    /** The least often used since it was stored goes; of several the one that was used the longest time ago. */
    static final class Lfu extends CachePolicy {
        private final NavigableSet<Item> order =
                new TreeSet<>(Comparator.<Item>comparingInt(i -> i.count).thenComparingLong(i -> i.last));
        private long now;

        Lfu(long room) {
            super(room);
        }

        @Override
        void add(Item item) {
            item.last = now++;
            order.add(item);
        }

        @Override
        void used(Item item) {
            order.remove(item);
            item.count++;
            add(item);
        }

        @Override
        Item evict() {
            return Objects.requireNonNull(order.pollFirst());
        }
    }
}
