package io.weir.proxy.pool;

import io.weir.base.Clock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Servers with the same content. Shared: members and rules are replaced as a whole by live changes and by answers of
 * name servers, each muxer has its own {@link Chooser}. A member that stays keeps its health and its figures. Lives
 * from the configuration that adds it to the one that removes it; requests that use it continue.
 */
public final class ServerPool {
    /** Bound on the members of a pool; further addresses or servers are left out. */
    public static final int MAX_MEMBERS = 256;

    /** A configured server. */
    public record Seat(OriginKey key, int weight) {}

    private final String name;
    private final int muxers;
    private final Clock clock;
    private final PoolWatcher watcher;
    private final Chooser[] choosers;
    private final PoolCounts counts = new PoolCounts();
    private final ReentrantLock changing = new ReentrantLock();
    private final Map<String, List<InetAddress>> addresses = new HashMap<>();
    private final List<PoolServer> leavers = new CopyOnWriteArrayList<>();
    private List<Seat> seats = List.of();
    private volatile PoolRules rules;
    private volatile PoolServer[] members = new PoolServer[0];

    /** A pool without members: {@link #configure} sets them. */
    public ServerPool(String name, int muxers, PoolRules rules, Clock clock, PoolWatcher watcher) {
        this.name = name;
        this.muxers = muxers;
        this.rules = rules;
        this.clock = clock;
        this.watcher = watcher;
        this.choosers = new Chooser[muxers];
        for (int i = 0; i < muxers; i++) {
            choosers[i] = new Chooser(this, i);
        }
    }

    public String name() {
        return name;
    }

    public PoolRules rules() {
        return rules;
    }

    public PoolCounts counts() {
        return counts;
    }

    /** The attempts of a request, on a muxer. */
    public Attempts attempts(int muxer, RequestKey request) {
        return new Attempts(choosers[muxer], request);
    }

    /** Whether there is more than one member. */
    public boolean several() {
        return members.length > 1;
    }

    PoolServer[] members() {
        return members;
    }

    /** The members. */
    public List<PoolServer> servers() {
        return List.of(members);
    }

    /** Removed servers with outstanding requests. */
    public List<PoolServer> leaving() {
        leavers.removeIf(s -> s.active() <= 0);
        return List.copyOf(leavers);
    }

    /** Changes rules and servers. Any thread. */
    public void configure(PoolRules next, List<Seat> configured) {
        changing.lock();
        try {
            rules = next;
            seats = List.copyOf(configured);
            addresses.keySet().retainAll(names());
            reconcile();
        } finally {
            changing.unlock();
        }
    }

    /** Hosts of the configured servers. */
    public Set<String> names() {
        changing.lock();
        try {
            Set<String> names = new LinkedHashSet<>();
            seats.forEach(s -> names.add(s.key().host()));
            return names;
        } finally {
            changing.unlock();
        }
    }

    /** Sets a name's addresses. An empty list changes nothing: the known ones stay. */
    public void resolved(String host, List<InetAddress> found) {
        if (found.isEmpty()) {
            return;
        }
        changing.lock();
        try {
            if (names().contains(host)) {
                addresses.put(host, List.copyOf(found));
                reconcile();
            }
        } finally {
            changing.unlock();
        }
    }

    /** Removes all members. */
    public void close() {
        configure(rules, List.of());
    }

    private void reconcile() {
        Map<OriginKey, PoolServer> present = new LinkedHashMap<>();
        for (PoolServer s : members) {
            present.put(s.key(), s);
        }
        Map<OriginKey, Integer> wanted = wanted();
        boolean beside = wanted.keySet().stream().anyMatch(present::containsKey);
        List<PoolServer> next = new ArrayList<>();
        List<PoolServer> fresh = new ArrayList<>();
        wanted.forEach((key, weight) -> {
            PoolServer kept = present.remove(key);
            if (kept == null) {
                PoolServer made = new PoolServer(
                        key,
                        weight,
                        muxers,
                        beside,
                        this::rules,
                        clock,
                        (s, was, now) -> watcher.changed(this, s, was, now));
                fresh.add(made);
                next.add(made);
            } else {
                kept.weight(weight);
                next.add(kept);
            }
        });
        if (!fresh.isEmpty() || !present.isEmpty()) {
            members = next.toArray(PoolServer[]::new);
        }
        fresh.forEach(s -> watcher.joined(this, s));
        present.values().forEach(this::leave);
    }

    private void leave(PoolServer s) {
        s.leaving(true);
        leavers.removeIf(old -> old.active() <= 0);
        leavers.add(s);
        watcher.left(this, s);
    }

    private Map<OriginKey, Integer> wanted() {
        Map<OriginKey, Integer> wanted = new LinkedHashMap<>();
        for (Seat seat : seats) {
            List<InetAddress> known = rules.resolve() ? addresses.get(seat.key().host()) : null;
            if (known == null) {
                put(wanted, seat.key(), seat.weight());
            } else {
                known.forEach(a -> put(wanted, seat.key().at(a), seat.weight()));
            }
        }
        return wanted;
    }

    private static void put(Map<OriginKey, Integer> wanted, OriginKey key, int weight) {
        if (wanted.size() < MAX_MEMBERS) {
            wanted.putIfAbsent(key, weight);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
