package io.weir.broker.session;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.destination.DestinationParts;
import io.weir.broker.destination.DestinationRegistry;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.EntryStore;
import io.weir.broker.queue.ErrorDestination;
import io.weir.broker.queue.QueueContext;
import io.weir.broker.queue.QueueServices;
import io.weir.broker.quota.Quotas;
import io.weir.broker.report.BrokerCounters;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.subscription.Subscriptions;
import io.weir.broker.transaction.Commit;
import io.weir.broker.transaction.Redirection;
import io.weir.broker.xa.Branches;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state that all destinations and sessions share: the registries, the loops, the current configuration. It does no
 * I/O, so that tests can run it on their own loop and clock. Shared; lives as long as the broker.
 */
public final class BrokerEngine {
    private final List<BrokerLoop> loops;
    private final Live<MessagingConfig> config;
    private final Clock clock;
    private final Stats stats;
    private final Log log;
    private final BrokerCounters meters;
    private final Quotas quotas;
    private final DestinationRegistry destinations;
    private final Subscriptions subscriptions;
    private final ClientIds clientIds = new ClientIds();
    private final Redirection redirection;
    private final Commit.Parts commits;
    private final Branches branches;
    private final Set<BrokerConnection> connections = ConcurrentHashMap.newKeySet();
    private final EntryStore store;

    public BrokerEngine(List<BrokerLoop> loops, Live<MessagingConfig> config, Clock clock, Stats stats, Log log) {
        this.loops = List.copyOf(loops);
        this.config = config;
        this.clock = clock;
        this.stats = stats;
        this.log = log;
        this.store = new EntryStore(log);
        this.meters = new BrokerCounters(stats);
        this.quotas = new Quotas(loops.getFirst(), config, stats, log);
        this.commits = new Commit.Parts(store, quotas.memory(), config);
        this.branches = new Branches(commits, config, clock, stats, meters, log);
        this.subscriptions = new Subscriptions(config, store);
        QueueServices services = new QueueServices(store, this::errorDestination, meters, log, config);
        this.destinations = new DestinationRegistry(
                new DestinationParts(services, quotas, stats), this.loops, subscriptions::keeps, subscriptions::forget);
        this.redirection = new Redirection(destinations, services, commits);
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

    private @Nullable ErrorDestination errorDestination(QueueContext from) {
        return redirection.errorDestination(from);
    }

    public List<BrokerLoop> loops() {
        return loops;
    }

    public MessagingConfig config() {
        return config.get();
    }

    public Clock clock() {
        return clock;
    }

    public Stats stats() {
        return stats;
    }

    public Log log() {
        return log;
    }

    BrokerCounters meters() {
        return meters;
    }

    public Quotas quotas() {
        return quotas;
    }

    public DestinationRegistry destinations() {
        return destinations;
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    ClientIds clientIds() {
        return clientIds;
    }

    public Redirection redirection() {
        return redirection;
    }

    /** The connections open now. */
    public Set<BrokerConnection> connections() {
        return connections;
    }

    /** The branches of distributed transactions. */
    public Branches branches() {
        return branches;
    }

    /** The dependencies of commits. */
    public Commit.Parts commits() {
        return commits;
    }

    public EntryStore store() {
        return store;
    }
}
