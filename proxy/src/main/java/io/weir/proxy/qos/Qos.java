package io.weir.proxy.qos;

import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.listen.TrafficLimits;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a proxy and their current usage. Shared by the muxers; lives as long as the proxy. While nothing is
 * limited and no figures are enabled {@link #active()} is false and nothing else is called.
 */
public final class Qos {
    private static final AttributeKey<Traffic> TRAFFIC = AttributeKey.valueOf("weir.traffic");

    private final Map<String, Scope> listeners = new ConcurrentHashMap<>();
    private final Map<String, Scope> servers = new ConcurrentHashMap<>();
    private final ClientTable clients;
    private final Clock clock;
    private final Stats stats;
    private final Counter clientRefused;
    private final AtomicInteger paced = new AtomicInteger();
    private volatile ClientLimits limits;
    private volatile boolean active;

    public Qos(ClientLimits limits, Clock clock, Chance chance, Stats stats) {
        this.limits = limits;
        this.clock = clock;
        this.stats = stats;
        this.clients = new ClientTable(
                limits.table(),
                chance,
                stats.counter(QosStats.CLIENT_OVERFLOWS),
                stats.counter(QosStats.PAUSES, "client"));
        this.clientRefused = stats.counter(QosStats.REFUSED, "client", "requests");
        stats.gauge(QosStats.PACED, paced::get);
        stats.gauge(QosStats.CLIENTS, clients::size);
    }

    /**
     * Activates limits, at the start and after each change; current usage stays counted.
     *
     * @param figures traffic is counted even if nothing is limited
     */
    public synchronized void limit(
            Map<String, TrafficLimits> ofListeners,
            Map<String, TrafficLimits> ofServers,
            ClientLimits ofClients,
            boolean figures) {
        limits(listeners, "listener", ofListeners);
        limits(servers, "virtual-server", ofServers);
        limits = ofClients;
        clients.rate(ofClients.bandwidth().bytes());
        active = figures
                || !ofClients.none()
                || ofListeners.values().stream().anyMatch(l -> !l.none())
                || ofServers.values().stream().anyMatch(l -> !l.none());
        if (active) {
            listeners.values().forEach(this::gauges);
            servers.values().forEach(this::gauges);
        }
    }

    private void limits(Map<String, Scope> scopes, String kind, Map<String, TrafficLimits> by) {
        scopes.values().removeIf(s -> s.configured() && !by.containsKey(s.name()) && forget(s));
        scopes.forEach((name, scope) -> scope.limits(by.getOrDefault(name, TrafficLimits.NONE)));
        by.forEach((name, l) -> scopes.computeIfAbsent(name, n -> new Scope(kind, n, l, true, clock.nanos(), stats)));
    }

    private void gauges(Scope s) {
        Usage u = s.usage();
        stats.gauge(QosStats.CONNECTIONS, u::open, s.kind(), s.name());
        stats.gauge(QosStats.CONNECTIONS_MOST, () -> s.use(clock.nanos()).mostConnections(), s.kind(), s.name());
        stats.gauge(QosStats.REQUEST_RATE, () -> s.use(clock.nanos()).requestRate(), s.kind(), s.name());
        stats.gauge(QosStats.REQUEST_RATE_MOST, () -> s.use(clock.nanos()).mostRequests(), s.kind(), s.name());
        stats.gauge(QosStats.BYTE_RATE, () -> s.use(clock.nanos()).byteRate(), s.kind(), s.name());
        stats.gauge(QosStats.BYTE_RATE_MOST, () -> s.use(clock.nanos()).mostBytes(), s.kind(), s.name());
    }

    /** It was removed from the configuration; its remaining connections keep the removed object. */
    private boolean forget(Scope s) {
        QosStats.OF_SCOPES.forEach(spec -> stats.remove(spec, s.kind(), s.name()));
        return true;
    }

    /** Whether anything is limited or counted. */
    public boolean active() {
        return active;
    }

    /** The traffic state of a connection; on its muxer. */
    public Traffic of(Connection connection, Pacing pacing) {
        Attribute<Traffic> kept = connection.channel().attr(TRAFFIC);
        Traffic known = kept.get();
        if (known != null) {
            return known;
        }
        Traffic traffic = new Traffic(
                this,
                connection,
                pacing,
                listener(connection.listener().name()),
                clients.of(connection.remote().getAddress(), clock.nanos()));
        kept.set(traffic);
        connection.channel().closeFuture().addListener(_ -> traffic.closed());
        return traffic;
    }

    private Scope listener(String name) {
        Scope known = listeners.get(name);
        return known != null ? known : listeners.computeIfAbsent(name, n -> unlimited("listener", n));
    }

    Scope server(String name) {
        Scope known = servers.get(name);
        return known != null ? known : servers.computeIfAbsent(name, n -> unlimited("virtual-server", n));
    }

    private Scope unlimited(String kind, String name) {
        Scope s = new Scope(kind, name, TrafficLimits.NONE, false, clock.nanos(), stats);
        gauges(s);
        return s;
    }

    /** Counts a request of a client; returns 0 if it passes, else the nanoseconds until one would. */
    long take(ClientUsage client, long now) {
        long wait = client.requests().take(now, limits.requests());
        if (wait > 0) {
            clientRefused.inc();
        }
        return wait;
    }

    Clock clock() {
        return clock;
    }

    AtomicInteger paced() {
        return paced;
    }

    /** The usage of a virtual server; null while nothing is limited or counted. */
    public @Nullable UsageFigures use(String server) {
        Scope scope = active ? servers.get(server) : null;
        return scope == null ? null : scope.use(clock.nanos());
    }

    /** The usage of the listeners, by name; empty while nothing is limited or counted. */
    public Map<String, UsageFigures> ofListeners() {
        return uses(listeners);
    }

    /** The same for virtual servers that had requests or have limits. */
    public Map<String, UsageFigures> ofServers() {
        return uses(servers);
    }

    private Map<String, UsageFigures> uses(Map<String, Scope> of) {
        Map<String, UsageFigures> all = new TreeMap<>();
        long now = clock.nanos();
        if (active) {
            of.forEach((name, scope) -> all.put(name, scope.use(now)));
        }
        return all;
    }

    /**
     * The clients that receive the most, by bytes in the latest whole second, then by total bytes; scans the whole
     * table.
     */
    public List<UsageFigures> busiestClients(int atMost) {
        return active ? clients.busiest(atMost, clock.nanos()) : List.of();
    }
}
