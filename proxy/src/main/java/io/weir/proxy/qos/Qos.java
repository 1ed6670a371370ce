package io.weir.proxy.qos;

import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.kernel.Connection;
import io.weir.kernel.TrafficLimits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a proxy and what is used of them. Shared by the muxers; lives as long as the proxy. While nothing is
 * limited {@link #active()} is false and nothing else is asked of it.
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

    /** What a listener or a virtual server uses now, and the most it has. */
    public record Use(int connections, int mostConnections) {}

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

    /** Puts limits in force, at the start and after each change; what is used stays counted. */
    public synchronized void limit(
            Map<String, TrafficLimits> ofListeners, Map<String, TrafficLimits> ofServers, ClientLimits ofClients) {
        limits(listeners, "listener", ofListeners);
        limits(servers, "virtual-server", ofServers);
        limits = ofClients;
        clients.rate(ofClients.bandwidth().bytes());
        active = !ofClients.none()
                || ofListeners.values().stream().anyMatch(l -> !l.none())
                || ofServers.values().stream().anyMatch(l -> !l.none());
    }

    private void limits(Map<String, Scope> scopes, String kind, Map<String, TrafficLimits> by) {
        scopes.forEach((name, scope) -> scope.limits(by.getOrDefault(name, TrafficLimits.NONE)));
        by.forEach((name, l) -> scopes.computeIfAbsent(name, _ -> new Scope(kind, l, clock.nanos(), stats)));
    }

    /** Whether anything is limited. */
    public boolean active() {
        return active;
    }

    /** A connection's part in all this; on its muxer. */
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
        return listeners.computeIfAbsent(name, _ -> new Scope("listener", TrafficLimits.NONE, clock.nanos(), stats));
    }

    Scope server(String name) {
        return servers.computeIfAbsent(
                name, _ -> new Scope("virtual-server", TrafficLimits.NONE, clock.nanos(), stats));
    }

    /** Takes a request of a client; 0 when it passes, else the nanoseconds until one would. */
    long take(Client client, long now) {
        ClientLimits l = limits;
        long wait = l.requestRate() == 0 ? 0 : client.requests().take(now, l.requestRate(), l.requestBurst());
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

    /** What a virtual server uses; null while nothing is limited, for then connections are not counted. */
    public @Nullable Use use(String server) {
        Scope scope = active ? servers.get(server) : null;
        return scope == null ? null : new Use(scope.open(), scope.peak());
    }
}
