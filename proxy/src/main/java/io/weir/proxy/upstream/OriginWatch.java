package io.weir.proxy.upstream;

import io.netty.util.NetUtil;
import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.pool.OriginStats;
import io.weir.proxy.pool.PoolServer;
import io.weir.proxy.pool.ServerPool;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Monitors the servers of all pools independently of requests: resolves their names again when an answer's time to live
 * is over, and runs the active checks. Confined to one muxer, on whose timers it runs; lives as long as the proxy.
 */
public final class OriginWatch {
    /** Bound on concurrent checks; further ones wait for their next turn and are counted. */
    public static final int MAX_CHECKS = 64;

    private static final long LEAST_TTL_SECONDS = 1;

    private final Upstream upstream;
    private final LoopContext loop;
    private final Supplier<List<ServerPool>> pools;
    private final LongSupplier maxTtlSeconds;
    private final LongSupplier retrySeconds;
    private final OriginPool connections;
    private final Counter postponed;
    private final Counter same;
    private final Counter changed;
    private final Counter failed;
    private final Map<String, Name> names = new HashMap<>();
    private final Map<PoolServer, Check> checks = new HashMap<>();
    private int inFlight;
    private boolean closed;

    /**
     * @param maxTtlSeconds longest time for which an answer is used
     * @param retrySeconds delay before a failed look-up is repeated
     */
    public OriginWatch(
            Upstream upstream,
            Supplier<List<ServerPool>> pools,
            LongSupplier maxTtlSeconds,
            LongSupplier retrySeconds,
            Stats stats) {
        this.upstream = upstream;
        this.loop = upstream.loop();
        this.pools = pools;
        this.maxTtlSeconds = maxTtlSeconds;
        this.retrySeconds = retrySeconds;
        this.connections = upstream.checkConnections();
        this.postponed = stats.counter(OriginStats.CHECKS_POSTPONED);
        this.same = stats.counter(OriginStats.RESOLUTIONS, "same");
        this.changed = stats.counter(OriginStats.RESOLUTIONS, "changed");
        this.failed = stats.counter(OriginStats.RESOLUTIONS, "failed");
    }

    /** The pools may have changed; callable from any thread. */
    public void update() {
        var _ = loop.muxer().eventLoop().submit(this::look);
    }

    private void look() {
        if (closed) {
            return;
        }
        Set<String> wanted = new HashSet<>();
        Set<PoolServer> checked = new HashSet<>();
        for (ServerPool pool : pools.get()) {
            if (pool.rules().resolve()) {
                pool.names().stream()
                        .filter(n -> NetUtil.createByteArrayFromIpAddressString(n) == null)
                        .forEach(wanted::add);
            }
            if (pool.rules().checks()) {
                pool.servers().forEach(s -> {
                    checked.add(s);
                    checks.computeIfAbsent(s, _ -> new Check(pool, s));
                });
            }
        }
        checks.values().removeIf(a -> a.endsUnless(checked));
        names.values().removeIf(n -> n.endsUnless(wanted));
        wanted.forEach(n -> names.computeIfAbsent(n, Name::new).known());
    }

    /** Stops all look-ups and checks; on the muxer. */
    public void close() {
        closed = true;
        names.values().forEach(Name::stop);
        checks.values().forEach(Check::stop);
        names.clear();
        checks.clear();
        connections.close();
    }

    /** A name and its next resolution. */
    private final class Name {
        private final String host;
        private final Deadline again = Deadline.of(this::resolve);
        private List<InetAddress> addresses = List.of();
        private boolean resolving;
        private boolean stopped;

        Name(String host) {
            this.host = host;
        }

        /** A pool that was added later gets known addresses at once; a new name is resolved. */
        void known() {
            if (!addresses.isEmpty()) {
                publish();
            } else if (!resolving && !again.armed()) {
                resolve();
            }
        }

        private void resolve() {
            resolving = true;
            upstream.names()
                    .addresses(host)
                    .addListener(f -> answered(f.isSuccess() ? (HostNames.Answer) f.getNow() : null));
        }

        private void answered(HostNames.@Nullable Answer answer) {
            resolving = false;
            if (stopped) {
                return;
            }
            long seconds = retrySeconds.getAsLong();
            if (answer == null || answer.addresses().isEmpty()) {
                failed.inc();
            } else {
                boolean others = !Set.copyOf(answer.addresses()).equals(Set.copyOf(addresses));
                (others ? changed : same).inc();
                addresses = answer.addresses();
                seconds = Math.min(maxTtlSeconds.getAsLong(), answer.ttlSeconds());
                if (others) {
                    publish();
                    look();
                }
            }
            if (!stopped) {
                loop.deadlines().arm(again, TimeUnit.SECONDS.toNanos(Math.max(LEAST_TTL_SECONDS, seconds)));
            }
        }

        private void publish() {
            for (ServerPool pool : pools.get()) {
                if (pool.rules().resolve()) {
                    pool.resolved(host, addresses);
                }
            }
        }

        boolean endsUnless(Set<String> wanted) {
            boolean ends = !wanted.contains(host);
            if (ends) {
                stop();
            }
            return ends;
        }

        void stop() {
            stopped = true;
            loop.deadlines().disarm(again);
        }
    }

    /** A server and its next check. */
    private final class Check {
        private final ServerPool pool;
        private final PoolServer server;
        private final Deadline again = Deadline.of(this::check);
        private boolean stopped;

        Check(ServerPool pool, PoolServer server) {
            this.pool = pool;
            this.server = server;
            check();
        }

        private void check() {
            if (inFlight >= MAX_CHECKS) {
                postponed.inc();
                next();
                return;
            }
            inFlight++;
            new HealthCheck(loop, connections, pool.rules(), server.key(), this::over).start();
        }

        private void over(String reason) {
            inFlight--;
            if (stopped) {
                return;
            }
            if (reason.isEmpty()) {
                server.checkPassed();
            } else {
                server.checkFailed(reason);
            }
            next();
        }

        private void next() {
            loop.deadlines().arm(again, pool.rules().check().interval().toNanos());
        }

        boolean endsUnless(Set<PoolServer> checked) {
            boolean ends = !checked.contains(server);
            if (ends) {
                stop();
            }
            return ends;
        }

        void stop() {
            stopped = true;
            loop.deadlines().disarm(again);
            server.unchecked();
        }
    }
}
