package io.weir.proxy.cache;

import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.KeyHash;
import io.weir.proxy.cache.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Removes what is stored, in memory and below, by key, by name, or all of it. Shared. */
final class Purges {
    /** Names of virtual servers that are remembered, at most. */
    private static final int MAX_SERVERS = 1000;

    private final Store store;
    private final CacheCounters counters;
    private final KeyHash hash;
    private volatile Set<String> servers = Set.of("");

    Purges(Store store, CacheCounters counters, KeyHash hash) {
        this.store = store;
        this.counters = counters;
        this.hash = hash;
    }

    /** All variants of a key; returns how many objects. */
    int of(KeyBuilder key) {
        store.lock().lock();
        try {
            store.purged();
            CacheEntry entry = store.table().find(key);
            int below = store.lower().removed(key.hash()) ? 1 : 0;
            int n = Math.max(below, entry == null ? 0 : store.clear(entry));
            counters.invalidated.add(n);
            return n;
        } finally {
            store.lock().unlock();
        }
    }

    /** An absolute URI as clients request it, on all virtual servers. */
    int of(UriTarget target) {
        int n = 0;
        for (Named named : named(target)) {
            n += of(named.key());
        }
        return n;
    }

    /** A key of a URI. */
    record Named(KeyBuilder key, String server, boolean forward) {}

    /** All keys of a URI: of each virtual server, and both of the named host and of a route's server. */
    List<Named> named(UriTarget target) {
        List<Named> all = new ArrayList<>();
        for (String server : servers) {
            all.add(named(target, server, false));
            all.add(named(target, server, true));
        }
        return all;
    }

    private Named named(UriTarget target, String server, boolean forward) {
        KeyBuilder key = new KeyBuilder(hash)
                .start(target.scheme().equals("https"))
                .host(target.host(), target.port())
                .path(target.pathAndQuery())
                .origin(server, forward);
        return new Named(key, server, forward);
    }

    /**
     * Sets the names of the virtual servers, as keys contain them. Removed servers stay known: their stored objects
     * become reachable again if the server is added back, so until then invalidation by name must include them.
     */
    void servers(Set<String> names) {
        Set<String> known = new HashSet<>(servers);
        known.addAll(names);
        if (known.size() > Math.max(MAX_SERVERS, names.size() + 1)) {
            known.retainAll(names);
            known.add("");
            ofAll();
        }
        servers = Set.copyOf(known);
    }

    /** All in memory; the disk keeps what it has, and purges still reach it. Returns the number of objects. */
    int ofMemory() {
        AtomicInteger n = new AtomicInteger();
        store.lock().lock();
        try {
            store.purged();
            store.table().forEach(entry -> n.addAndGet(store.clear(entry)));
            counters.invalidated.add(n.get());
            return n.get();
        } finally {
            store.lock().unlock();
        }
    }

    /** Everything; returns the number of objects. */
    int ofAll() {
        AtomicInteger n = new AtomicInteger();
        store.lock().lock();
        try {
            store.purged();
            store.table().forEach(entry -> n.addAndGet(store.clear(entry)));
            int below = store.lower().cleared();
            n.accumulateAndGet(below, Math::max);
            counters.invalidated.add(n.get());
        } finally {
            store.lock().unlock();
        }
        return n.get();
    }
}
