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
 * Watches the servers of all pools without requests: asks again for their names when an answer's time to live is over,
 * and puts the active checks. Confined to one muxer, on whose timers it runs; lives as long as the proxy.
 */
public final class OriginWatch {
    /** Checks under way at a time; more wait for their next turn and are counted. */
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
    private final Map<PoolServer, Asked> asked = new HashMap<>();
    private int underWay;
    private boolean closed;

    /**
     * @param maxTtlSeconds longest time for which an answer counts
     * @param retrySeconds when a look-up that failed is made again
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

    /** The pools may have changed; any thread. */
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
                    asked.computeIfAbsent(s, _ -> new Asked(pool, s));
                });
            }
        }
        asked.values().removeIf(a -> a.endsUnless(checked));
        names.values().removeIf(n -> n.endsUnless(wanted));
        wanted.forEach(n -> names.computeIfAbsent(n, Name::new).known());
    }

    /** No more questions; on the muxer. */
    public void close() {
        closed = true;
        names.values().forEach(Name::stop);
        asked.values().forEach(Asked::stop);
        names.clear();
        asked.clear();
        connections.close();
    }

    /** A name and when it is resolved again. */
    private final class Name {
        private final String host;
        private final Deadline again = Deadline.of(this::ask);
        private List<InetAddress> addresses = List.of();
        private boolean asking;
        private boolean stopped;

        Name(String host) {
            this.host = host;
        }

        /** A pool that came later gets known addresses at once; a new name is resolved. */
        void known() {
            if (!addresses.isEmpty()) {
                tell();
            } else if (!asking && !again.armed()) {
                ask();
            }
        }

        private void ask() {
            asking = true;
            upstream.names()
                    .addresses(host)
                    .addListener(f -> answered(f.isSuccess() ? (HostNames.Answer) f.getNow() : null));
        }

        private void answered(HostNames.@Nullable Answer answer) {
            asking = false;
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
                    tell();
                    look();
                }
            }
            if (!stopped) {
                loop.deadlines().arm(again, TimeUnit.SECONDS.toNanos(Math.max(LEAST_TTL_SECONDS, seconds)));
            }
        }

        private void tell() {
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

    /** A server and when it is checked again. */
    private final class Asked {
        private final ServerPool pool;
        private final PoolServer server;
        private final Deadline again = Deadline.of(this::ask);
        private boolean stopped;

        Asked(ServerPool pool, PoolServer server) {
            this.pool = pool;
            this.server = server;
            ask();
        }

        private void ask() {
            if (underWay >= MAX_CHECKS) {
                postponed.inc();
                next();
                return;
            }
            underWay++;
            new HealthCheck(loop, connections, pool.rules(), server.key(), this::over).start();
        }

        private void over(String reason) {
            underWay--;
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
