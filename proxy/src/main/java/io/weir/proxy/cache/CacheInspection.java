package io.weir.proxy.cache;

import io.weir.http.Fields;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.disk.DiskCopy;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.StoredObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What is stored, as monitoring asks for it. Takes no lock of the store. Shared. */
public final class CacheInspection {
    /** Objects that are looked at for the largest ones. */
    private static final long MOST_EXAMINED = 2_000_000;

    private final Cache cache;
    private final @Nullable DiskTier disk;

    CacheInspection(Cache cache, @Nullable DiskTier disk) {
        this.cache = cache;
        this.disk = disk;
    }

    /**
     * Returns at most {@code limit} objects in memory, in no order, doubtful ones included. Objects that are added or
     * removed concurrently may be missed.
     */
    public List<CachedObject> objects(int limit) {
        List<CachedObject> listed = new ArrayList<>(Math.min(limit, cache.store.objects()));
        long millis = cache.clock.millis();
        cache.store.table().walk(entry -> {
            for (StoredObject o = entry.variants(); o != null && listed.size() < limit; o = o.nextVariant()) {
                if (o.tryRetain()) {
                    listed.add(CachedObject.of(o, disk != null && disk.has(o), millis));
                    o.release();
                }
            }
            return listed.size() < limit;
        });
        return listed;
    }

    /**
     * What is stored for a URL.
     *
     * @param largestBody bytes of the largest body that is stored for any URL, unless its route has less
     * @param fetching whether a fetch for it is in flight
     * @param copies all in memory, and the one that the request selects on disk
     * @param variants fields by which variants on disk are selected, none of which the request selects
     */
    public record Shown(long largestBody, boolean fetching, List<StoredCopy> copies, List<String> variants) {
        public Shown {
            copies = List.copyOf(copies);
            variants = List.copyOf(variants);
        }
    }

    /**
     * Everything that is stored for a URI, on all virtual servers. Waits for the disk.
     *
     * @param fields of a request, which select variants
     */
    public Shown show(UriTarget target, Fields fields) {
        List<StoredCopy> copies = new ArrayList<>();
        List<String> variants = new ArrayList<>();
        boolean fetching = false;
        for (Purges.Named named : cache.named(target)) {
            CacheEntry entry = cache.store.table().find(named.key());
            fetching |= entry != null && entry.fetches() != null;
            StoredCopy.Owner owner =
                    new StoredCopy.Owner(KeyBuilder.uri(named.key().copy()), named.server(), named.forward());
            DiskCopy below = disk == null ? null : disk.find(named.key(), fields);
            boolean both = inMemory(owner, entry, fields, copies);
            if (below != null) {
                variants.addAll(below.variants());
                DiskCopy.Answer answer = below.answer();
                if (!both && answer != null) {
                    copies.add(StoredCopy.of(owner, below, answer, cache.clock.millis()));
                }
            }
        }
        return new Shown(largestBody(), fetching, copies, variants);
    }

    private long largestBody() {
        CacheConfig now = cache.config.get();
        long memory = Math.min(now.maxObjectSize().bytes(), cache.store.largestBody());
        return disk == null
                ? memory
                : Math.max(
                        memory,
                        Math.min(disk.sinksTo(), now.disk().maxObjectSize().bytes()));
    }

    /** Adds those of an entry; returns whether one of them is selected. */
    private boolean inMemory(
            StoredCopy.Owner owner, @Nullable CacheEntry entry, Fields fields, List<StoredCopy> copies) {
        boolean any = false;
        for (StoredObject o = entry == null ? null : entry.variants(); o != null; o = o.nextVariant()) {
            if (o.tryRetain()) {
                boolean selected = o.vary().isEmpty()
                        || (o.vary().matchable() && o.varyKey().equals(o.vary().key(fields)));
                any |= selected;
                copies.add(
                        StoredCopy.of(owner, o, selected, disk == null ? null : disk.place(o), cache.clock.millis()));
                o.release();
            }
        }
        return any;
    }

    /**
     * The objects in memory that a figure is largest of.
     *
     * @param examined objects that were looked at
     */
    public record Top(long examined, List<StoredCopy> objects) {
        public Top {
            objects = List.copyOf(objects);
        }
    }

    /** The objects with most hits, or that take most bytes of memory; the largest first. At most {@link #MOST_EXAMINED} are looked at. */
    public Top top(int limit, boolean byBytes) {
        ToLongFunction<StoredObject> figure = byBytes ? StoredObject::memoryBytes : StoredObject::hits;
        PriorityQueue<Ranked> best = new PriorityQueue<>(Comparator.comparingLong(Ranked::figure));
        long[] examined = new long[1];
        cache.store.table().walk(entry -> {
            for (StoredObject o = entry.variants(); o != null; o = o.nextVariant()) {
                examined[0]++;
                long of = figure.applyAsLong(o);
                Ranked least = best.peek();
                if (best.size() < limit || (least != null && of > least.figure())) {
                    best.add(new Ranked(of, o));
                    if (best.size() > limit) {
                        best.poll();
                    }
                }
            }
            return examined[0] < MOST_EXAMINED;
        });
        long millis = cache.clock.millis();
        List<StoredCopy> objects = new ArrayList<>();
        best.stream()
                .sorted(Comparator.comparingLong(Ranked::figure).reversed())
                .map(Ranked::object)
                .filter(StoredObject::tryRetain)
                .forEach(o -> {
                    StoredCopy.Owner owner = new StoredCopy.Owner(o.entry().uri(), "", false);
                    objects.add(StoredCopy.of(owner, o, true, disk == null ? null : disk.place(o), millis));
                    o.release();
                });
        return new Top(examined[0], objects);
    }

    /** An object with what it is sorted by, as it was then. */
    private record Ranked(long figure, StoredObject object) {}

    /** Values for monitoring. */
    public CacheFacts facts() {
        CacheConfig now = cache.config.get();
        long hits = cache.counters.hits.value();
        return new CacheFacts(
                now.enabled(),
                cache.store.objects(),
                cache.store.plainObjects(),
                now.maxEntries(),
                hits,
                hits + cache.counters.misses.value(),
                now.maxUncheck(),
                cache.store.budget().used(),
                cache.store.budget().limit(),
                StoredObject.BOOKKEEPING,
                cache.store.table().places());
    }
}
