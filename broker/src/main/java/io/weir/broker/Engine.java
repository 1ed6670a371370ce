package io.weir.broker;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.config.MessagingConfig;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all destinations and sessions share: the registries, the loops, the configuration in force. Without I/O of its own,
 * so that tests run it on a loop and a clock of theirs. Shared; lives as long as the broker.
 */
final class Engine {
    private final List<Loop> loops;
    private final Live<MessagingConfig> config;
    private final Clock clock;
    private final Stats stats;
    private final Log log;
    private final Meters meters;
    private final Quotas quotas;
    private final Destinations destinations;
    private final Subscriptions subscriptions;
    private final ClientIds clientIds = new ClientIds();
    private final Redirection redirection = new Redirection(this);
    private final Set<BrokerConnection> connections = ConcurrentHashMap.newKeySet();
    private final Keeper store;
    private final List<Census> censuses;

    Engine(List<Loop> loops, Live<MessagingConfig> config, Clock clock, Stats stats, Log log) {
        this.loops = List.copyOf(loops);
        this.config = config;
        this.clock = clock;
        this.stats = stats;
        this.log = log;
        this.store = new Keeper(log);
        this.meters = new Meters(stats);
        this.quotas = new Quotas(this, stats);
        this.destinations = new Destinations(this);
        this.subscriptions = new Subscriptions(this);
        this.censuses = loops.stream().map(l -> new Census(this, l)).toList();
        DestinationCounts.publishTemporaries(stats, censuses);
        stats.gauge(
                BrokerStats.WINDOW_BLOCKED,
                () -> connections.stream()
                        .mapToLong(BrokerConnection::blockedSessions)
                        .sum());
        config.observe(c -> {
            quotas.reconfigure(c);
            destinations.configure(c);
        });
    }

    List<Loop> loops() {
        return loops;
    }

    MessagingConfig config() {
        return config.get();
    }

    Clock clock() {
        return clock;
    }

    Stats stats() {
        return stats;
    }

    Log log() {
        return log;
    }

    Meters meters() {
        return meters;
    }

    Quotas quotas() {
        return quotas;
    }

    Destinations destinations() {
        return destinations;
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    ClientIds clientIds() {
        return clientIds;
    }

    Redirection redirection() {
        return redirection;
    }

    /** The connections open now. */
    Set<BrokerConnection> connections() {
        return connections;
    }

    /** What counts for monitoring what a loop owns. */
    Census census(Loop loop) {
        return censuses.get(loops.indexOf(loop));
    }

    List<Census> censuses() {
        return censuses;
    }

    Keeper store() {
        return store;
    }
}
