package io.weir.server.assembly;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.cluster.purge.PurgedCache;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import io.weir.kernel.Kernel;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.proxy.Proxy;
import io.weir.proxy.cache.Cache;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.PurgeForwarder;
import io.weir.server.admin.views.MessagingViews;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.cluster.ClusterFacts;
import io.weir.server.cluster.Clustering;
import io.weir.server.cluster.MemberCaches;
import io.weir.server.cluster.ProxyPurges;
import io.weir.server.config.WeirConfig;
import io.weir.server.facts.MessagingFacts;
import io.weir.server.facts.ServerFacts;
import io.weir.server.log.ServerLog;
import io.weir.server.siblings.LocalPurges;
import io.weir.server.siblings.OwnPurges;
import io.weir.server.siblings.ProcessCaches;
import io.weir.server.siblings.PurgeLetter;
import io.weir.server.start.ServerParts;
import io.weir.server.start.Share;
import io.weir.wire.login.CheckedLogins;
import io.weir.wire.naming.NamingDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messaging and the cluster, which of several processes only the first has. They are opened together, because the names
 * and calls on the wire belong to both. Shared; started and stopped by one thread each.
 */
public final class StatefulParts {
    private final Live<WeirConfig> live;
    private final Share share;
    private final Clock clock;
    private final Stats stats;
    private final ServerLog log;
    private final ServerFacts facts;
    private final OpenedParts opened;
    private final @Nullable Messaging messaging;
    private final OwnNames names;
    private final Clustering clustering;
    private final @Nullable PurgedCache purged;
    private final LocalPurges purgedHere;
    private @Nullable MemberCaches caches;
    private @Nullable ProcessCaches processes;

    /**
     * Starts messaging, and prepares the cluster for opening.
     *
     * @param facts is notified of what runs
     * @param opened closes the parts
     * @throws IOException when a journal or a folder cannot be opened
     */
    public StatefulParts(
            ServerParts parts,
            Live<WeirConfig> live,
            Kernel kernel,
            Cache cache,
            Claims claims,
            ServerFacts facts,
            Stats stats,
            ServerLog log,
            OpenedParts opened)
            throws IOException {
        this.live = live;
        this.share = parts.share();
        this.clock = parts.clock();
        this.stats = stats;
        this.log = log;
        this.facts = facts;
        this.opened = opened;
        WeirConfig config = live.get();
        this.messaging = share.first() && Messaging.wanted(config)
                ? opened.add(Messaging.start(kernel, live, claims.messages(), clock, stats, log))
                : null;
        if (messaging != null) {
            facts.messaging(new MessagingFacts(broker(messaging), stats));
        }
        this.names = new OwnNames(
                config.server().name(),
                messaging == null ? NamingDirectory.empty() : messaging.broker().directory());
        this.purged = config.cluster().alone() ? null : new ProxyPurges(cache);
        this.purgedHere = new LocalPurges(cache);
        if (share.supervised()) {
            follow();
        }
        this.clustering = opened.add(
                share.first()
                        ? new Clustering(
                                live, parts.dataDir(), purged, share.post(), claims.clusterLog(), clock, stats, log)
                        : new Clustering(
                                new Live<>(config.withoutServices()),
                                share.scratch(),
                                null,
                                share.post(),
                                null,
                                clock,
                                stats,
                                log));
    }

    /** Applies what the supervisor and the process that is the member of the cluster pass on. */
    private void follow() {
        opened.add(new OwnPurges(
                PurgeLetter.SERVER,
                purgedHere,
                share.post(),
                (number, last) -> log.log(ServerMessages.PURGES_LOST, number, last)));
        if (purged != null) {
            opened.add(new OwnPurges(PurgeLetter.CLUSTER, purged, share.post(), (number, last) -> {
                stats.counter(ClusterStats.PURGES_MISSED).inc();
                log.log(ClusterMessages.PURGES_MISSED, number, last);
            }));
        }
    }

    private static BrokerAdmin broker(Messaging of) {
        return of.broker().admin();
    }

    /** The protocol of messaging's listeners; null if there is none. */
    public @Nullable Protocol wire(CheckedLogins logins) {
        Messaging m = messaging;
        if (m == null) {
            return null;
        }
        List<WireListening.Service> services = new ArrayList<>(List.of(m.service()));
        clustering.routes().forEach(r -> services.add(new WireListening.Service(r, NamingDirectory.empty())));
        services.add(new WireListening.Service(clustering.calls(), clustering.names()));
        return opened.add(
                new WireListening(services, names.logins(clustering.logins(logins)), live, clock, stats, log));
    }

    /**
     * The protocol of the listener for the caches of other members, or of this server's other processes; null if there is
     * none.
     *
     * @throws IOException if the cluster's certificates cannot be used
     */
    public @Nullable Protocol caches(Proxy proxy) throws IOException {
        if (share.supervised()) {
            return live.get().cache().shareProcesses() ? processes(proxy) : null;
        }
        boolean wanted = live.get().listeners().values().stream().anyMatch(l -> l.protocol() == ListenerProtocol.CACHE);
        if (!wanted) {
            return null;
        }
        MemberCaches made = clustering.caches(proxy.owners());
        caches = made;
        return new MemberProtocol(proxy, made);
    }

    private Protocol processes(Proxy proxy) {
        PurgedCache ofCluster = purged;
        ProcessCaches made = opened.add(new ProcessCaches(
                share.process(),
                proxy.owners(),
                purgedHere::position,
                ofCluster == null ? null : ofCluster::position,
                share.post(),
                stats,
                log));
        processes = made;
        return new MemberProtocol(proxy, made);
    }

    /** Passes purges on to the other members. */
    public PurgeForwarder purges() {
        return clustering.purges();
    }

    /** Called when the listener for this server's other processes is open. */
    public void shares(int port) {
        if (processes != null) {
            processes.at(port);
        }
    }

    /** Called before clients can connect. */
    public void awaitOthers() {
        if (processes != null) {
            processes.awaitOthers();
        }
    }

    /**
     * Called when the listeners are open. The first process is the member; the others have no cluster, and none in
     * their views.
     */
    public void listening(Listening listening) throws IOException {
        names.at(listening.messagingUrl());
        if (caches != null) {
            caches.at(listening.cacheAddress());
        }
        if (share.first()) {
            clustering.open(
                    listening.address(),
                    messaging == null ? null : messaging.broker().sender(),
                    names);
            facts.cluster(new ClusterFacts(clustering.access(), stats));
        }
    }

    /** Called when everything is ready: the member accepts singletons. */
    public void join() {
        if (share.first()) {
            clustering.join();
        }
    }

    /** Called when this process is to end: it asks no other one any more. */
    void asksNobody() {
        if (processes != null) {
            processes.close();
        }
    }

    /** Called before connections are drained: moves singletons elsewhere. */
    public void leave(Duration timeOut) {
        clustering.leave(timeOut);
    }

    /** Closes everything, and the listeners for its clients, so that another process can open it. */
    public void release(Kernel kernel) {
        kernel.listeners().stream()
                .filter(l -> l.config().protocol() == ListenerProtocol.WEIR)
                .forEach(Listener::close);
        facts.released();
        opened.close(part -> part instanceof Clustering
                || part instanceof WireListening
                || part instanceof Messaging
                || part instanceof Claims);
    }

    /** Registers their views and changes. */
    void register(AdminRouter router) {
        if (messaging != null) {
            new MessagingViews(broker(messaging)).register(router);
        }
        clustering.register(router);
    }
}
