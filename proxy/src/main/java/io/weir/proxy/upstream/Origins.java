package io.weir.proxy.upstream;

import io.weir.base.Clock;
import io.weir.base.Durations;
import io.weir.base.Log;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.pool.HealthState;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.OriginStats;
import io.weir.proxy.pool.OriginsConfig;
import io.weir.proxy.pool.PoolCounts;
import io.weir.proxy.pool.PoolRules;
import io.weir.proxy.pool.PoolServer;
import io.weir.proxy.pool.PoolServerConfig;
import io.weir.proxy.pool.PoolWatcher;
import io.weir.proxy.pool.ServerPool;
import io.weir.proxy.pool.Standing;
import io.weir.proxy.program.origin.Origin;
import io.weir.proxy.program.origin.OriginRoute;
import io.weir.proxy.program.run.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * All pools of the configuration in force, by name: those of {@code proxy.origins}, and one for each list of origins in
 * a route. Shared; changed by the thread that changes the configuration. Requests find their pool in their route and do
 * not use this class.
 */
public final class Origins implements PoolWatcher {
    private final int muxers;
    private final Clock clock;
    private final Stats stats;
    private final Log log;
    private final Consumer<OriginKey> leaving;
    private final ReentrantLock changing = new ReentrantLock();
    private final Map<String, ServerPool> pools = new ConcurrentHashMap<>();

    /**
     * @param muxers number of muxers that select servers
     * @param leaving called with origins that get no more requests
     */
    public Origins(int muxers, Clock clock, Stats stats, Log log, Consumer<OriginKey> leaving) {
        this.muxers = muxers;
        this.clock = clock;
        this.stats = stats;
        this.log = log;
        this.leaving = leaving;
    }

    /** All pools, by name. */
    public List<ServerPool> all() {
        return List.copyOf(new TreeMap<>(pools).values());
    }

    /**
     * Applies a changed configuration: members that stay keep their health and figures. Removed pools continue to serve
     * the requests that use them.
     */
    public void configure(Program program, Map<String, OriginsConfig> config) {
        changing.lock();
        try {
            Map<String, ServerPool> next = new TreeMap<>();
            config.forEach((name, c) -> next.put(name, configured(name, c)));
            for (OriginRoute route : program.originRoutes()) {
                String named = route.poolName();
                ServerPool pool = named == null ? null : next.get(named);
                if (pool == null) {
                    pool = listed(route);
                    next.put(pool.name(), pool);
                }
                route.bind(pool);
            }
            List<ServerPool> gone = new ArrayList<>(pools.values());
            gone.removeAll(next.values());
            pools.putAll(next);
            pools.keySet().retainAll(next.keySet());
            gone.forEach(this::retire);
        } finally {
            changing.unlock();
        }
    }

    /** The pool of a route that was created by a function, at its first request. */
    public ServerPool bind(OriginRoute route) {
        changing.lock();
        try {
            ServerPool pool = listed(route);
            pools.put(pool.name(), pool);
            route.bind(pool);
            return pool;
        } finally {
            changing.unlock();
        }
    }

    private ServerPool configured(String name, OriginsConfig c) {
        List<ServerPool.Seat> seats = new ArrayList<>();
        for (PoolServerConfig s : c.servers()) {
            OriginKey key = key(Origin.parse(s.url())).named(s.serverName()).overHttp2(c.http2());
            seats.add(new ServerPool.Seat(key, s.weight()));
        }
        return pool(name, PoolRules.of(c, muxers), seats);
    }

    private ServerPool listed(OriginRoute route) {
        String urls = route.origins().stream().map(Origin::url).collect(Collectors.joining(","));
        PoolRules rules = PoolRules.of(OriginsConfig.DEFAULT, muxers);
        boolean parents = route.parents();
        List<ServerPool.Seat> seats = route.origins().stream()
                .map(o -> new ServerPool.Seat(parents ? OriginKey.parent(o.secure(), o.host(), o.port()) : key(o), 1))
                .toList();
        return parents
                ? pool("proxies " + urls, rules.forParents(route.sticky()), seats)
                : pool(urls, rules.with(route.sticky()), seats);
    }

    private static OriginKey key(Origin o) {
        return new OriginKey(o.secure(), o.host(), o.port(), false);
    }

    private ServerPool pool(String name, PoolRules rules, List<ServerPool.Seat> seats) {
        ServerPool known = pools.get(name);
        ServerPool pool = known == null ? new ServerPool(name, muxers, rules, clock, this) : known;
        if (known == null) {
            show(pool);
        }
        pool.configure(rules, seats);
        return pool;
    }

    private void retire(ServerPool pool) {
        pool.servers().forEach(s -> left(pool, s));
        forEachOfPool(pool, (spec, _, labels) -> stats.remove(spec, labels));
    }

    @Override
    public void changed(ServerPool pool, PoolServer server, Standing was, Standing now) {
        if (now.state() == HealthState.DOWN) {
            String time =
                    now.byCheck() ? "until checks pass" : "for " + Durations.spoken(Duration.ofNanos(now.nanos()));
            log.log(EngineMessages.SERVER_DOWN, server, pool, now.reason(), time);
        } else if (was.state() == HealthState.DOWN || was.state() == HealthState.TRIAL) {
            if (now.state() != HealthState.TRIAL) {
                log.log(EngineMessages.SERVER_UP, server, pool);
            }
        }
    }

    @Override
    public void joined(ServerPool pool, PoolServer server) {
        forEachOfServer(pool, server, (spec, value, labels) -> {
            switch (spec.kind()) {
                case GAUGE -> stats.gauge(spec, value, labels);
                case COUNTER, HISTOGRAM -> stats.counter(spec, value, labels);
            }
        });
    }

    @Override
    public void left(ServerPool pool, PoolServer server) {
        forEachOfServer(pool, server, (spec, _, labels) -> stats.remove(spec, labels));
        leaving.accept(server.key());
    }

    private interface Figure {
        void take(StatSpec spec, LongSupplier value, String... labels);
    }

    private void show(ServerPool pool) {
        forEachOfPool(pool, stats::counter);
    }

    private static void forEachOfPool(ServerPool pool, Figure each) {
        PoolCounts c = pool.counts();
        String name = pool.name();
        each.take(OriginStats.RETRIES, c::retries, name);
        each.take(OriginStats.RETRIES_REFUSED, c::retriesRefused, name);
        each.take(OriginStats.REFUSED, c::refusedBusy, name, "busy");
        each.take(OriginStats.REFUSED, c::refusedDown, name, "down");
        each.take(OriginStats.STICKY, c::stickyFollowed, name, "followed");
        each.take(OriginStats.STICKY, c::stickyStrayed, name, "strayed");
        each.take(OriginStats.STICKY, c::stickyUnknown, name, "unknown");
    }

    private static void forEachOfServer(ServerPool pool, PoolServer s, Figure each) {
        String p = pool.name();
        String n = s.name();
        each.take(OriginStats.STATE, () -> level(s.health().standing().state()), p, n);
        each.take(OriginStats.ACTIVE, s::active, p, n);
        each.take(OriginStats.REQUESTS, s::requests, p, n);
        each.take(OriginStats.FAILURES, s::failures, p, n);
        each.take(OriginStats.ANSWERS, s::answers, p, n);
        each.take(OriginStats.ANSWER_NANOS, s::answerNanos, p, n);
        each.take(OriginStats.BUSY, s::busy, p, n);
        each.take(OriginStats.DOWNS, s::downs, p, n);
        each.take(OriginStats.CHECKS, s::checksPassed, p, n, "passed");
        each.take(OriginStats.CHECKS, s::checksFailed, p, n, "failed");
    }

    private static long level(HealthState state) {
        return switch (state) {
            case DOWN -> 0;
            case TRIAL -> 1;
            case WARMING -> 2;
            case UP -> 3;
        };
    }
}
