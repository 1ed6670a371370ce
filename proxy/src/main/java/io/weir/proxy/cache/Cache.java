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
import io.weir.http.caching.Vary;
import io.weir.http.semantics.UriTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The memory cache: what may be answered from the store, what is fetched, and who waits for whose fetch (RFC 9111; RFC
 * 5861). Shared by all event loops; lives as long as the server.
 */
public final class Cache implements AutoCloseable {
    /** A request that was released as often as this fetches alone. */
    private static final int ROUNDS = 3;

    /** Names of virtual servers that are remembered. */
    private static final int MAX_SERVERS = 1000;

    final Store store;
    final CacheCounters counters;
    final Live<CacheConfig> config;
    final Clock clock;
    private final KeyHash hash;
    private final Log log;
    private volatile Set<String> servers = Set.of("");

    /**
     * An empty cache.
     *
     * @param allocator where regions of direct memory come from: an unpooled one, since they live long
     * @param chance seeds the hash of keys
     */
    public Cache(
            Live<CacheConfig> config, ByteBufAllocator allocator, Clock clock, Chance chance, Stats stats, Log log) {
        this.config = config;
        this.clock = clock;
        this.counters = new CacheCounters(stats);
        this.store = new Store(config, allocator, counters, clock.millis(), log);
        this.log = log;
        this.hash = new KeyHash(chance.random().nextLong(), chance.random().nextLong());
        stats.gauge(CacheStats.BYTES, store.budget::used);
        stats.gauge(CacheStats.BUDGET, store.budget::limit);
        stats.gauge(CacheStats.BYTES_FREE, store::freeBytes);
        stats.gauge(CacheStats.ENTRIES, store::objects);
        config.observe(this::reconfigure);
    }

    private void reconfigure(CacheConfig now) {
        store.shrink();
        if (!now.enabled()) {
            clear();
        }
        log.log(CacheMessages.BUDGET_CHANGED, store.budget.used(), store.budget.limit());
    }

    /** A reusable request with a key builder of its own: one per loop for hits, one per exchange for those that wait. */
    public CacheRequest newRequest() {
        return new CacheRequest(new KeyBuilder(hash));
    }

    /** A reusable key for {@link #invalidate}. */
    public KeyBuilder newKey() {
        return new KeyBuilder(hash);
    }

    /** What to do with a request. Never blocks on I/O; a fresh hit without Vary takes no lock and allocates nothing. */
    public Decision decide(CacheRequest request) {
        CacheConfig now = config.get();
        Decision.Reason reason = bypassed(now, request);
        if (reason != null) {
            return request.terms().never() ? notCached() : bypass(reason);
        }
        long millis = clock.millis();
        CacheControl control = request.control(now);
        StoredObject found = select(store.table.find(request.key()), request);
        if (found != null) {
            Reuse reuse = request.terms().reuse(found.freshness(), millis, control);
            if (reuse.usable() && found.tryRetain()) {
                return hit(found, reuse, request, millis);
            }
        }
        return miss(now, request, control, millis);
    }

    private static Decision.@Nullable Reason bypassed(CacheConfig now, CacheRequest request) {
        if (!now.enabled()) {
            return Decision.Reason.DISABLED;
        }
        if (request.method() != Method.GET && request.method() != Method.HEAD) {
            return Decision.Reason.METHOD;
        }
        if (request.control(now).noStore()) {
            return Decision.Reason.NO_STORE;
        }
        Fields fields = request.fields();
        if (request.personal() || (!request.terms().cacheAuth(now) && fields.has(FieldName.AUTHORIZATION))) {
            return Decision.Reason.AUTHORIZATION;
        }
        if (fields.has(FieldName.IF_MATCH) || fields.has(FieldName.IF_UNMODIFIED_SINCE)) {
            return Decision.Reason.CONDITION;
        }
        return bypassed(now, request.terms().queryMaxlen(now), request.key());
    }

    private static Decision.@Nullable Reason bypassed(CacheConfig now, int queryMaxlen, KeyBuilder key) {
        if (key.secure() && !now.cacheHttps()) {
            return Decision.Reason.HTTPS;
        }
        int query = key.queryLength();
        if (query >= 0 && (queryMaxlen == 0 || query > queryMaxlen)) {
            return Decision.Reason.QUERY;
        }
        return key.tooLong() ? Decision.Reason.KEY_LENGTH : null;
    }

    private Decision bypass(Decision.Reason reason) {
        counters.bypassed(reason);
        return new Decision.Bypass(reason);
    }

    private Decision notCached() {
        counters.onlyIfCached.inc();
        return Decision.OnlyIfCached.INSTANCE;
    }

    /** The variant that a request selects, unless it may not have it. */
    static @Nullable StoredObject select(@Nullable Entry entry, CacheRequest request) {
        if (entry == null) {
            return null;
        }
        Vary known = Vary.NONE;
        String key = "";
        for (StoredObject o = entry.variants; o != null; o = o.nextVariant()) {
            if (o.vary() != known) {
                known = o.vary();
                key = known.key(request.fields());
            }
            if (o.varyKey().equals(key)) {
                // what is no longer used gives way to the answer that comes in its place
                return !o.provenance().doubtful() && request.mayHave(o.from()) ? o : null;
            }
        }
        return null;
    }

    private Decision hit(StoredObject found, Reuse reuse, CacheRequest request, long millis) {
        counters.hits.inc();
        found.used();
        if (reuse == Reuse.FRESH) {
            return request.hit.of(found, millis, false, null);
        }
        if (reuse == Reuse.STALE_ALLOWED) {
            (request.terms().connectMode() == CacheTerms.ConnectMode.NORMAL
                            ? counters.staleAllowed
                            : counters.staleUnasked)
                    .inc();
            return request.hit.of(found, millis, true, null);
        }
        counters.staleRevalidating.inc();
        return request.hit.of(found, millis, true, background(found, request));
    }

    /** A validation for the object, unless one is under way or there is no memory for it. */
    private @Nullable Fill background(StoredObject found, CacheRequest request) {
        store.lock.lock();
        try {
            if (found.entry().fills != null || !Store.holds(found) || !found.tryRetain()) {
                return null;
            }
            Fill.Selection expected = new Fill.Selection(found.vary(), found.varyKey());
            return start(request, CacheControl.NONE, new Fill.Start(found, expected, false, true, false, null));
        } finally {
            store.lock.unlock();
        }
    }

    private Decision miss(CacheConfig now, CacheRequest request, CacheControl control, long millis) {
        int round = request.nextRound();
        if (round == 0) {
            counters.misses.inc();
            if (request.withheld()) {
                counters.withheld.inc();
            }
        }
        if (control.onlyIfCached() || request.terms().never()) {
            return notCached();
        }
        if (request.method() == Method.HEAD) {
            return bypass(Decision.Reason.METHOD);
        }
        if (request.fields().has(FieldName.RANGE)) {
            return bypass(Decision.Reason.RANGE);
        }
        store.lock.lock();
        try {
            return joinOrLead(now, request, control, millis, round);
        } finally {
            store.lock.unlock();
        }
    }

    private Decision joinOrLead(CacheConfig now, CacheRequest request, CacheControl control, long millis, int round) {
        Entry entry = store.table.find(request.key());
        StoredObject found = select(entry, request);
        Reuse reuse = found == null ? Reuse.VALIDATE_STALE : request.terms().reuse(found.freshness(), millis, control);
        if (found != null && reuse.usable() && found.tryRetain()) {
            return hit(found, reuse, request, millis);
        }
        boolean full = false;
        for (Fill fill = entry == null ? null : entry.fills; fill != null; fill = fill.nextFill) {
            if (round < ROUNDS && fill.accepts(request, now)) {
                return new Decision.Join(fill, forward(entry, found, reuse));
            }
            full |= fill.full(now.maxWaiters());
        }
        Forward forward = forward(entry, found, reuse);
        Fill.Selection expected = expected(entry, request);
        StoredObject stale = found != null && found.tryRetain() ? found : null;
        boolean uncacheable = store.uncacheables.has(request.key().hash(), millis);
        boolean alone = alone(round, full, uncacheable);
        Fill fill = start(request, control, new Fill.Start(stale, expected, alone, false, uncacheable, request));
        return fill == null ? bypass(Decision.Reason.MEMORY) : new Decision.Lead(fill, forward);
    }

    private static Forward forward(@Nullable Entry entry, @Nullable StoredObject found, Reuse reuse) {
        Forward said = found == null ? null : reuse.forward();
        return said != null ? said : entry == null || entry.variants == null ? Forward.URI_MISS : Forward.VARY_MISS;
    }

    /** Others need not wait where the answer was not storable of late, or where waiting has not helped. */
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

    /** What the newest variant varies on lets requests for different variants of a URI not wait for each other. */
    private static Fill.@Nullable Selection expected(@Nullable Entry entry, CacheRequest request) {
        StoredObject newest = entry == null ? null : entry.variants;
        return newest == null
                ? null
                : new Fill.Selection(newest.vary(), newest.vary().key(request.fields()));
    }

    /** Store lock held. Takes over what the start retains. */
    private @Nullable Fill start(CacheRequest request, CacheControl control, Fill.Start how) {
        Fields copy = request.fields().copy();
        long heap = Fill.heapBytes(copy);
        // the reservation may evict what the entry holds, so it comes before the entry is looked up
        Entry entry = null;
        if (store.reserve(heap)) {
            entry = store.enter(request.key());
            if (entry == null) {
                store.budget.release(heap);
            }
        }
        if (entry == null) {
            if (how.stale() != null) {
                how.stale().release();
            }
            return null;
        }
        Fill fill = new Fill(this, entry, Asked.of(request, copy, control), how);
        entry.addFill(fill);
        if (how.stale() != null && how.stale().validators().any()) {
            counters.revalidations.inc();
        }
        return fill;
    }

    /**
     * Shows the head of the answer to a HEAD that went past the cache as {@link Decision.Reason#METHOD}: it freshens the
     * stored answer to GET, or drops it where it shows another one (RFC 9111 4.3.5).
     *
     * @param fields read during the call only
     * @param requestMillis epoch milliseconds when the request was sent
     * @param responseMillis epoch milliseconds when this head came in
     * @param from where it came from; null: from the operator's own origins
     */
    public void headAnswered(
            CacheRequest request,
            int status,
            Fields fields,
            long requestMillis,
            long responseMillis,
            @Nullable FetchedFrom from) {
        HeadAnswer.apply(
                this,
                request,
                new Verdict.Head(status, fields, -1, requestMillis, responseMillis, Version.HTTP_1_1, from));
    }

    // ---- for fills: the fill's lock is held

    /** Stores what a fill brought, unless it was purged or invalidated meanwhile; takes over the reference. */
    boolean put(StoredObject object, FillState fill) {
        boolean put;
        store.lock.lock();
        try {
            // a purge that was answered is final, so this is asked under the lock that purges hold
            put = !fill.doomed;
            if (put) {
                store.put(object);
            }
        } finally {
            store.lock.unlock();
        }
        if (!put) {
            object.release();
        }
        return put;
    }

    /** The largest body that is stored. */
    long mostBytes(CacheTerms terms) {
        return Math.min(terms.maxSize(config.get()), store.largestBody());
    }

    void leave(Entry entry, Fill fill) {
        store.lock.lock();
        try {
            entry.removeFill(fill);
            store.leave(entry);
        } finally {
            store.lock.unlock();
        }
    }

    /** An answer that may not be stored came for what was, or was not, stored: the stored one goes, the key is remembered. */
    void uncacheable(Entry entry, @Nullable StoredObject replaced) {
        CacheConfig now = config.get();
        store.uncacheables.add(entry.hash, clock.millis(), now.hitForMiss().toMillis());
        if (replaced != null) {
            drop(replaced);
        }
    }

    void drop(StoredObject object) {
        store.lock.lock();
        try {
            store.drop(object);
        } finally {
            store.lock.unlock();
        }
    }

    // ---- administration

    /** After a successful unsafe request (RFC 9111 4.4): forgets what is stored for the key; returns how many objects. */
    public int invalidate(KeyBuilder key) {
        store.lock.lock();
        try {
            Entry entry = store.table.find(key);
            int n = entry == null ? 0 : store.clear(entry);
            counters.invalidated.add(n);
            return n;
        } finally {
            store.lock.unlock();
        }
    }

    /** As {@link #invalidate}, by name: an absolute URI as clients ask for it, of all virtual servers. */
    public int invalidate(UriTarget target) {
        int n = 0;
        for (String server : servers) {
            n += invalidate(target, server, false) + invalidate(target, server, true);
        }
        return n;
    }

    private int invalidate(UriTarget target, String server, boolean forwarded) {
        return invalidate(newKey().start(target.scheme().equals("https"))
                .host(target.host(), target.port())
                .path(target.pathAndQuery())
                .asked(server, forwarded));
    }

    /**
     * Says which virtual servers there are, as keys name them. Those that went stay known: what is stored for them is found
     * again when they come back, and must be forgotten by name until then.
     */
    public void servers(Set<String> names) {
        Set<String> known = new HashSet<>(servers);
        known.addAll(names);
        if (known.size() > Math.max(MAX_SERVERS, names.size() + 1)) {
            known.retainAll(names);
            known.add("");
            clear();
        }
        servers = Set.copyOf(known);
    }

    /** At most {@code limit} stored objects, in no order. Takes no lock; what comes and goes meanwhile may be missed. */
    public List<CachedObject> objects(int limit) {
        List<CachedObject> listed = new ArrayList<>(Math.min(limit, store.objects()));
        long millis = clock.millis();
        store.table.walk(entry -> {
            for (StoredObject o = entry.variants; o != null && listed.size() < limit; o = o.nextVariant()) {
                if (!o.provenance().doubtful() && o.tryRetain()) {
                    listed.add(CachedObject.of(o, millis));
                    o.release();
                }
            }
            return listed.size() < limit;
        });
        return listed;
    }

    /** Forgets everything; returns how many objects that were. */
    public int clear() {
        AtomicInteger n = new AtomicInteger();
        store.lock.lock();
        try {
            store.table.forEach(entry -> n.addAndGet(store.clear(entry)));
            counters.invalidated.add(n.get());
        } finally {
            store.lock.unlock();
        }
        return n.get();
    }

    /** What monitoring shows. */
    public CacheFacts facts() {
        CacheConfig now = config.get();
        long hits = counters.hits.value();
        return new CacheFacts(
                now.enabled(),
                store.objects(),
                now.maxEntries(),
                hits,
                hits + counters.misses.value(),
                now.maxUncheck(),
                store.budget.used(),
                store.budget.limit(),
                StoredObject.BOOKKEEPING);
    }

    /** Gives the memory back; what is lent or in flight follows when its last reader is done. */
    @Override
    public void close() {
        store.close();
    }
}
