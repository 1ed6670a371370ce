package io.weir.proxy.cache;

import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.Version;
import io.weir.http.caching.CacheControl;
import io.weir.http.caching.Forward;
import io.weir.http.caching.Reuse;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.config.BypassReason;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.disk.DiskCounters;
import io.weir.proxy.cache.disk.DiskFolders;
import io.weir.proxy.cache.disk.DiskLoad;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillStart;
import io.weir.proxy.cache.fill.Fills;
import io.weir.proxy.cache.fill.Selection;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.CacheMessages;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.InFlight;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.KeyHash;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory cache: decides which requests are answered from the store, which are fetched, and which share a fetch (RFC
 * 9111; RFC 5861). Shared by all event loops; lives as long as the server.
 */
// How it works, for maintainers.
//
// Three parts. The store (Store) finds objects by key, owns their memory and evicts. A fill (Fill) is one fetch that
// retrieves or validates an object, with all requests that wait for it: collapsed forwarding. This class decides, for
// one request, between the two: hit, join a fill, lead a new one, or bypass the cache. It transfers no bytes.
//
// The path of a fresh hit matters most: the table is read without a lock, the object is retained by its reference
// count, and its use is counted by a plain write; slices of the object's memory are written to the socket. No lock, no
// allocation, no list to reorder. This is why eviction is a FIFO (see Eviction) and not an LRU, where every hit writes
// to shared links.
//
// On a miss the request takes the store's lock and looks again, since a look-up without the lock may miss an existing
// entry. Under the lock it finds a fill to join or becomes the leader of a new one, so a key that many clients request
// at once is fetched once. A key whose answer may not be stored is remembered for a while (HitForMiss), otherwise its
// requests would wait for each other in sequence to no benefit.
//
// Invariants:
// 1. Memory is reserved in the budget before it is allocated, whatever its purpose: bodies, heads, entries, fills. So
//    cache.memory-budget is never exceeded, unless it was lowered: then nothing is granted until enough has been
//    released.
// 2. A fill's lock is taken before the store's, never after it.
// 3. An object is immutable once it is in the table. Eviction removes it from the table; its memory is freed with the
//    last reference, so a slow reader of an evicted object can finish.
// 4. A purge or an invalidation is final once it is answered: the result of a fill that began before it is not stored.
// 5. The key is hashed with a secret (SipHash): a client cannot choose URLs that collide.
// 6. A lost update of a use count or of a hit-for-miss costs a later hit or one collapse, never a wrong answer.
//
// Sources: RFC 9111 (what may be stored and used), RFC 5861 (stale-while-revalidate, stale-if-error); hit-for-miss and
// waiting for a busy object as in Varnish and Squid's collapsed_forwarding; J. Yang et al., "FIFO queues are all you
// need for cache eviction", SOSP 2023; J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT
// 2012.
public final class Cache implements AutoCloseable {
    /** A request that was released this often fetches alone. */
    private static final int ROUNDS = 3;

    public final Store store;
    final CacheCounters counters;
    final Live<CacheConfig> config;
    final Clock clock;
    private final Fills fills;
    private final KeyHash hash;
    private final Log log;
    private final @Nullable DiskTier disk;
    private final Purges purges;
    private final CacheInspection inspection;
    private final DiskBelow below;

    /**
     * An empty cache.
     *
     * @param allocator allocates regions of direct memory; should be unpooled, since they are long-lived
     * @param chance seeds the hash of keys, unless there is a disk
     * @param folders of the disk tier; null: there is none
     */
    public Cache(
            Live<CacheConfig> config,
            ByteBufAllocator allocator,
            Clock clock,
            Chance chance,
            @Nullable DiskFolders folders,
            Stats stats,
            Log log) {
        this.config = config;
        this.clock = clock;
        this.counters = new CacheCounters(stats);
        this.store = new Store(config, allocator, counters, clock.millis(), log);
        this.fills = new Fills(store, config, counters, clock);
        this.log = log;
        this.hash = folders == null
                ? new KeyHash(chance.random().nextLong(), chance.random().nextLong())
                : folders.hash();
        DiskCounters diskCounters = new DiskCounters(stats);
        this.purges = new Purges(store, counters, hash);
        this.disk = folders == null
                ? null
                : new DiskTier(folders, store, config, this::clear, diskCounters, clock, stats, log);
        if (disk != null) {
            store.lower(disk);
        }
        this.inspection = new CacheInspection(this, disk);
        store.count(stats);
        stats.gauge(CacheStats.PLAIN_ENTRIES, store::plainObjects);
        this.below = new DiskBelow(disk, store);
        stats.gauge(CacheStats.BYTES, store.budget()::used);
        stats.gauge(CacheStats.BUDGET, store.budget()::limit);
        stats.gauge(CacheStats.BYTES_FREE, store::freeBytes);
        stats.gauge(CacheStats.ENTRIES, store::objects);
        config.observe(this::reconfigure);
    }

    private void reconfigure(CacheConfig now) {
        store.shrink();
        if (!now.enabled()) {
            purges.ofMemory();
        }
        log.log(
                CacheMessages.BUDGET_CHANGED,
                store.budget().used(),
                store.budget().limit());
    }

    /**
     * The largest body in bytes that fits the memory budget of a configuration, regardless of max-object-size and
     * routes.
     */
    public static long largestBody(CacheConfig config) {
        return Store.largestBody(config.memoryBudget().bytes());
    }

    /** A reusable request with its own key builder: one per loop for hits, one per exchange for requests that wait. */
    public CacheRequest newRequest() {
        return new CacheRequest(new KeyBuilder(hash));
    }

    /** The settings in force. */
    public CacheConfig settings() {
        return config.get();
    }

    /** A reusable key for {@link #invalidate}. */
    public KeyBuilder newKey() {
        return new KeyBuilder(hash);
    }

    /**
     * Decides what to do with a request. Never blocks on I/O; a fresh hit without Vary takes no lock and allocates
     * nothing.
     */
    public Decision decide(CacheRequest request) {
        CacheConfig now = config.get();
        BypassReason reason = bypassed(now, request);
        if (reason != null) {
            return request.terms().never() ? Decision.OnlyIfCached.INSTANCE : bypass(reason);
        }
        long millis = clock.millis();
        CacheControl control = request.control(now);
        StoredObject found = request.select(store.table().find(request.key()));
        if (found != null) {
            Reuse reuse = request.terms().reuse(found.freshness(), millis, control);
            if (reuse.usable() && found.tryRetain()) {
                return hit(found, reuse, request, millis);
            }
        }
        DiskLoad load = found == null ? below.load(request) : null;
        if (load == null) {
            return miss(now, request, control, millis);
        }
        request.readsDisk(load.variants());
        return load.over() ? decide(request) : new Decision.Load(load);
    }

    /** The disk tier, with what this cache asks it. */
    public DiskBelow disk() {
        return below;
    }

    /** Whether there is a disk tier. */
    public boolean hasDisk() {
        return disk != null;
    }

    /** The disk tier; null: there is none. */
    public @Nullable DiskTier diskTier() {
        return disk;
    }

    private static @Nullable BypassReason bypassed(CacheConfig now, CacheRequest request) {
        if (!now.enabled()) {
            return BypassReason.DISABLED;
        }
        if (request.method() != Method.GET && request.method() != Method.HEAD) {
            return BypassReason.METHOD;
        }
        if (request.control(now).noStore()) {
            return BypassReason.NO_STORE;
        }
        Fields fields = request.fields();
        if (request.personal() || (!request.terms().cacheAuth(now) && fields.has(FieldName.AUTHORIZATION))) {
            return BypassReason.AUTHORIZATION;
        }
        if (fields.has(FieldName.IF_MATCH) || fields.has(FieldName.IF_UNMODIFIED_SINCE)) {
            return BypassReason.CONDITION;
        }
        return bypassed(now, request.terms().queryMaxlen(now), request.key());
    }

    private static @Nullable BypassReason bypassed(CacheConfig now, int queryMaxlen, KeyBuilder key) {
        if (key.secure() && !now.cacheHttps()) {
            return BypassReason.HTTPS;
        }
        int query = key.queryLength();
        if (query >= 0 && (queryMaxlen == 0 || query > queryMaxlen)) {
            return BypassReason.QUERY;
        }
        return key.tooLong() ? BypassReason.KEY_LENGTH : null;
    }

    /** A request bypasses the cache. */
    public Decision bypass(BypassReason reason) {
        counters.bypassed(reason);
        return new Decision.Bypass(reason);
    }

    /** A request that may only be answered from caches is answered 504. */
    public void notInCache() {
        counters.onlyIfCached.inc();
    }

    private Decision hit(StoredObject found, Reuse reuse, CacheRequest request, long millis) {
        LookUpCount.hit(counters, request, found, reuse);
        boolean fromDisk = LookUpCount.fromDisk(request, found);
        if (fromDisk) {
            below.answered(found);
        }
        found.used();
        if (reuse == Reuse.FRESH) {
            return request.hit.of(found, fromDisk, millis, false, null);
        }
        if (reuse == Reuse.STALE_ALLOWED) {
            (request.terms().connectMode() == CacheTerms.ConnectMode.NORMAL
                            ? counters.staleAllowed
                            : counters.staleByConnectMode)
                    .inc();
            return request.hit.of(found, fromDisk, millis, true, null);
        }
        counters.staleRevalidating.inc();
        return request.hit.of(found, fromDisk, millis, true, background(found, request));
    }

    /** Starts a validation of the object, unless one is in flight or there is no memory for it. */
    private @Nullable Fill background(StoredObject found, CacheRequest request) {
        store.lock().lock();
        try {
            if (found.entry().fetches() != null || !Store.holds(found) || !found.tryRetain()) {
                return null;
            }
            Selection expected = new Selection(found.vary(), found.varyKey());
            return fills.start(
                    request.key(),
                    request,
                    CacheControl.NONE,
                    new FillStart(found, expected, false, true, false, null));
        } finally {
            store.lock().unlock();
        }
    }

    private Decision miss(CacheConfig now, CacheRequest request, CacheControl control, long millis) {
        int round = request.nextRound();
        if (round == 0) {
            LookUpCount.miss(counters, request, store.table().find(request.key()));
        }
        if (!request.mayFetch(now)) {
            return Decision.OnlyIfCached.INSTANCE;
        }
        if (request.method() == Method.HEAD) {
            return bypass(BypassReason.HEAD);
        }
        if (request.fields().has(FieldName.RANGE)) {
            return bypass(BypassReason.RANGE);
        }
        Decision.Relay relay = relay(request, millis);
        if (relay != null) {
            return relay;
        }
        store.lock().lock();
        try {
            return joinOrLead(now, request, control, millis, round);
        } finally {
            store.lock().unlock();
        }
    }

    /**
     * A key whose answer was recently not storable: a fill would be started in vain for most of its requests. Only an
     * object that is still stored needs one, to be validated. Takes no lock: a look-up may miss that object, and it is then
     * fetched anew.
     */
    private Decision.@Nullable Relay relay(CacheRequest request, long millis) {
        if (!store.uncacheables().has(request.key().hash(), millis)) {
            return null;
        }
        // sampled before the look-up: a purge that comes after it is noticed
        long purges = store.purges();
        CacheEntry entry = store.table().find(request.key());
        StoredObject found = request.select(entry);
        if (found != null) {
            return null;
        }
        counters.aloneForMiss.inc();
        LookUpCount.fetches(counters, request);
        return new Decision.Relay(request, forward(request, entry, null, Reuse.VALIDATE_STALE), purges);
    }

    /**
     * Processes the head of the answer to a request that was to be relayed.
     *
     * @return whether it is storable after all, and if not, why
     */
    public Relayed relayed(Decision.Relay decided, StoragePlan.Head head) {
        return Relayed.of(fills, clock, decided, head);
    }

    private Decision joinOrLead(CacheConfig now, CacheRequest request, CacheControl control, long millis, int round) {
        CacheEntry entry = store.table().find(request.key());
        StoredObject found = request.select(entry);
        Reuse reuse = found == null ? Reuse.VALIDATE_STALE : request.terms().reuse(found.freshness(), millis, control);
        if (found != null && reuse.usable() && found.tryRetain()) {
            return hit(found, reuse, request, millis);
        }
        boolean full = false;
        for (InFlight f = entry == null ? null : entry.fetches(); f != null && !f.alone(); f = f.next()) {
            // an entry's fetches are always fills
            Fill fill = (Fill) f;
            if (round < ROUNDS && fill.accepts(request, now)) {
                return new Decision.Join(fill, forward(request, entry, found, reuse));
            }
            full |= fill.full(now.maxWaiters());
        }
        Forward forward = forward(request, entry, found, reuse);
        Selection expected = expected(entry, request);
        StoredObject stale = found != null && found.tryRetain() ? found : null;
        boolean uncacheable = store.uncacheables().has(request.key().hash(), millis);
        boolean alone = alone(round, full, uncacheable);
        Fill fill = fills.start(
                request.key(), request, control, new FillStart(stale, expected, alone, false, uncacheable, request));
        if (fill == null) {
            return bypass(BypassReason.MEMORY);
        }
        LookUpCount.fetches(counters, request);
        return new Decision.Lead(fill, forward);
    }

    private static Forward forward(
            CacheRequest request, @Nullable CacheEntry entry, @Nullable StoredObject found, Reuse reuse) {
        Forward byReuse = found == null ? null : reuse.forward();
        return byReuse != null
                ? byReuse
                : LookUpCount.hasVariants(request, entry) ? Forward.VARY_MISS : Forward.URI_MISS;
    }

    /** Other requests need not wait if the answer was recently not storable, or if waiting has not helped. */
    private boolean alone(int round, boolean full, boolean uncacheable) {
        if (uncacheable) {
            counters.aloneForMiss.inc();
            return true;
        }
        if (round >= ROUNDS) {
            counters.aloneReleased.inc();
            return true;
        }
        if (full) {
            counters.aloneForWaiters.inc();
        }
        return false;
    }

    /**
     * The newest variant's Vary selects the requests that wait, so requests for different variants of a URI do not wait
     * for each other.
     */
    private static @Nullable Selection expected(@Nullable CacheEntry entry, CacheRequest request) {
        StoredObject newest = entry == null ? null : entry.variants();
        return newest == null
                ? null
                : new Selection(newest.vary(), newest.vary().key(request.fields()));
    }

    /**
     * Processes the answer to a HEAD request that bypassed the cache as {@link BypassReason#HEAD}: it freshens the
     * stored answer to GET, or drops it if the two differ (RFC 9111 4.3.5).
     *
     * @param fields read during the call only
     * @param requestMillis epoch milliseconds when the request was sent
     * @param responseMillis epoch milliseconds when this head arrived
     * @param from where it was fetched from; null: from a configured origin
     */
    public void headAnswered(
            CacheRequest request,
            int status,
            Fields fields,
            long requestMillis,
            long responseMillis,
            @Nullable FetchedFrom from) {
        HeadAnswer.apply(
                fills,
                request,
                new StoragePlan.Head(status, fields, -1, requestMillis, responseMillis, Version.HTTP_1_1, from));
    }

    // ---- administration

    /** After a successful unsafe request (RFC 9111 4.4): drops what is stored for the key; returns how many objects. */
    public int invalidate(KeyBuilder key) {
        return purges.of(key);
    }

    /** As {@link #invalidate}, by name: an absolute URI as clients request it, on all virtual servers. */
    public int invalidate(UriTarget target) {
        return purges.of(target);
    }

    /** All keys of a URI. */
    List<Purges.Named> named(UriTarget target) {
        return purges.named(target);
    }

    /** Sets the names of the virtual servers, as keys contain them. */
    public void servers(Set<String> names) {
        purges.servers(names);
    }

    /** Sets which keys are kept on the disk: a member of a cluster keeps those that it owns. */
    public void keepsOnDisk(Predicate<byte[]> keys) {
        store.lowerKeys(keys);
    }

    /** Removes everything; returns the number of objects removed. */
    public int clear() {
        return purges.ofAll();
    }

    /** Removes everything in memory; the disk keeps what it has. Returns the number of objects removed. */
    public int clearMemory() {
        return purges.ofMemory();
    }

    /** A hit needed the stored head alone. */
    public void answeredByHead() {
        counters.headHits.inc();
    }

    /** What is stored, for monitoring. */
    public CacheInspection inspection() {
        return inspection;
    }

    /** Frees the memory; what is in use or in flight follows when its last reader is done. */
    @Override
    public void close() {
        if (disk != null) {
            disk.close();
        }
        store.close();
    }
}
