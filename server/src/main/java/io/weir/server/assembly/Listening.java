package io.weir.server.assembly;

import io.weir.base.ConfigBinder;
import io.weir.kernel.Kernel;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerChange;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.listen.SharedPort;
import io.weir.server.config.Preparation;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.ReachableAt;
import io.weir.server.siblings.ProcessCaches;
import io.weir.server.start.Share;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's listeners: opened when it starts, and changed with its configuration. Shared; opened by the starting
 * thread, changed by the thread that changes the configuration. Lives as long as the server.
 */
public final class Listening implements Preparation {
    private static final ListenerConfig PROCESSES = processes(ConfigBinder.defaults(ListenerConfig.class));

    private final Kernel kernel;
    private final Protocol http;
    private final @Nullable Protocol caches;
    private final Share share;
    private final Runnable changed;
    /** Set before the first listener with it is opened, and before others change listeners. */
    private @Nullable Protocol wire;

    /**
     * Creates the listeners, none of them open yet.
     *
     * @param caches that of listeners with protocol cache; null if there is none
     * @param changed called after each change
     */
    public Listening(Kernel kernel, Protocol http, @Nullable Protocol caches, Share share, Runnable changed) {
        this.kernel = kernel;
        this.http = http;
        this.caches = caches;
        this.share = share;
        this.changed = changed;
    }

    /** The listener for the caches of this server's other processes, at a port that the system chooses. */
    private static ListenerConfig processes(ListenerConfig d) {
        return new ListenerConfig(
                "127.0.0.1",
                0,
                ListenerProtocol.CACHE,
                d.backlog(),
                d.acceptors(),
                d.sendBuffer(),
                d.receiveBuffer(),
                d.virtualServer(),
                d.proxyProtocol(),
                d.http2(),
                d.tls(),
                d.limits());
    }

    /** Opens the one for the caches of this server's other processes, if there is one. */
    public void openForProcesses() throws BindFailure {
        if (sharing()) {
            kernel.open(ProcessCaches.LISTENER, PROCESSES, protocol(PROCESSES), SharedPort.NONE);
        }
    }

    /**
     * Opens all others.
     *
     * @param messaging the protocol of listeners with protocol weir; null if messaging does not run
     */
    public void open(WeirConfig config, @Nullable Protocol messaging) throws BindFailure, IOException {
        wire = messaging;
        Map<String, ListenerConfig> mine = mine(config);
        mine.remove(ProcessCaches.LISTENER);
        for (Map.Entry<String, ListenerConfig> e : mine.entrySet()) {
            int socket = share.socket(e.getKey());
            boolean own = weir(e.getValue()) || cache(e.getValue());
            if (!own && socket == SharedPort.NONE && share.supervised()) {
                throw new IOException("The supervisor holds no socket for channel \"" + e.getKey()
                        + "\": a listener is added by a restart.");
            }
            kernel.open(e.getKey(), e.getValue(), protocol(e.getValue()), socket);
        }
    }

    /**
     * The listeners that this process serves: messaging belongs to the first process, and each has one for the caches of
     * the others.
     */
    private Map<String, ListenerConfig> mine(WeirConfig config) {
        Map<String, ListenerConfig> mine = new LinkedHashMap<>(config.listeners());
        mine.values().removeIf(l -> weir(l) && !share.first());
        if (sharing()) {
            mine.put(ProcessCaches.LISTENER, PROCESSES);
        }
        return mine;
    }

    private boolean sharing() {
        return share.supervised() && caches != null;
    }

    private Protocol protocol(ListenerConfig config) {
        Protocol own = switch (config.protocol()) {
            case HTTP -> http;
            case WEIR -> wire;
            case CACHE -> caches;
        };
        return own == null ? http : own;
    }

    private static boolean weir(ListenerConfig config) {
        return config.protocol() == ListenerProtocol.WEIR;
    }

    @Override
    public Ready prepare(WeirConfig now, WeirConfig next, BiConsumer<String, String> refusal) {
        if (refused(now, next, refusal)) {
            return Ready.NOTHING;
        }
        if (now.listeners().equals(next.listeners())) {
            return Ready.NOTHING;
        }
        try {
            ListenerChange change = kernel.prepare(mine(next), this::protocol);
            return new Ready() {
                @Override
                public void begin() {
                    change.begin(next.kernel().drainTimeOut());
                    if (!change.nothing()) {
                        changed.run();
                    }
                }

                @Override
                public void cancel() {
                    change.cancel();
                }
            };
        } catch (BindFailure e) {
            refusal.accept("listeners." + e.listener(), String.valueOf(e.getMessage()));
            return Ready.NOTHING;
        }
    }

    private boolean refused(WeirConfig now, WeirConfig next, BiConsumer<String, String> refusal) {
        Set<String> names = new TreeSet<>(now.listeners().keySet());
        names.addAll(next.listeners().keySet());
        Set<String> refused = new HashSet<>();
        for (String name : names) {
            String why =
                    refusal(name, now.listeners().get(name), next.listeners().get(name));
            if (why != null) {
                refused.add(name);
                refusal.accept("listeners." + name, why);
            }
        }
        return !refused.isEmpty();
    }

    private @Nullable String refusal(String name, @Nullable ListenerConfig a, @Nullable ListenerConfig b) {
        if (a != null && b != null && a.unlimited().equals(b.unlimited())) {
            return null;
        }
        if (share.supervised()) {
            return "the sockets of several processes belong to the supervisor: listeners are added, removed and changed"
                    + " by a restart";
        }
        if (b != null && weir(b) && wire == null) {
            return "messaging starts with the server: the first listener of the protocol weir is added by a restart";
        }
        if (cache(a) || cache(b)) {
            return "the other members of the cluster know this listener: it is added, removed and changed by a restart";
        }
        if (advertised().contains(name)) {
            return "messaging and the cluster are reached here, and others know this address: this listener is removed"
                    + " and changed by a restart";
        }
        return null;
    }

    /** The address at which other members reach this server's first weir listener; empty if it has none. */
    public String address() {
        Listener first = firstWeir();
        return first == null ? "" : ReachableAt.reachable(first.address());
    }

    /**
     * The address at which this server itself reaches messaging: a listener without TLS if possible; empty if there is
     * none.
     */
    public String messagingUrl() {
        Listener own = ownWeir();
        return own == null ? "" : (own.secure() ? "weirs://" : "weir://") + ReachableAt.reachable(own.address());
    }

    private static boolean cache(@Nullable ListenerConfig config) {
        return config != null && config.protocol() == ListenerProtocol.CACHE;
    }

    /** The address at which other members reach this server's cache; empty if there is no such listener. */
    public String cacheAddress() {
        return kernel.listeners().stream()
                .filter(l -> cache(l.config()))
                .map(l -> ReachableAt.reachable(l.address()))
                .findFirst()
                .orElse("");
    }

    /** The port at which this server's other processes reach this one's cache; 0 if there is none. */
    public int processesPort() {
        return kernel.listeners().stream()
                .filter(Listening::ofProcesses)
                .map(l -> l.address().getPort())
                .findFirst()
                .orElse(0);
    }

    /** Whether a listener is the one for this server's other processes, which no configuration has. */
    public static boolean ofProcesses(Listener l) {
        return l.name().equals(ProcessCaches.LISTENER);
    }

    private Set<String> advertised() {
        Set<String> names = new LinkedHashSet<>();
        Listener first = firstWeir();
        Listener own = ownWeir();
        if (first != null && own != null) {
            names.add(first.name());
            names.add(own.name());
        }
        return names;
    }

    private @Nullable Listener firstWeir() {
        return kernel.listeners().stream()
                .filter(l -> weir(l.config()))
                .findFirst()
                .orElse(null);
    }

    private @Nullable Listener ownWeir() {
        return kernel.listeners().stream()
                .filter(l -> weir(l.config()))
                .min(Comparator.comparing(Listener::secure))
                .orElse(null);
    }

    /** The addresses of the open listeners, in the form of the pid file. */
    public static Map<String, String> places(Kernel kernel) {
        Map<String, String> places = new LinkedHashMap<>();
        for (Listener l : kernel.listeners()) {
            if (ofProcesses(l)) {
                continue;
            }
            places.put("listener." + l.name(), l.place());
            if (l.config().protocol() == ListenerProtocol.WEIR) {
                places.putIfAbsent(
                        ReachableAt.MESSAGING,
                        (l.secure() ? "weirs://" : "weir://") + ReachableAt.reachable(l.address()));
            }
        }
        return places;
    }

    /** URLs of those that curl can reach without certificates, in the order of the configuration. */
    public static List<String> urls(Kernel kernel) {
        return kernel.listeners().stream()
                .filter(l -> !l.secure() && l.config().protocol() == ListenerProtocol.HTTP)
                .map(l -> "http://" + ReachableAt.reachable(l.address()))
                .toList();
    }
}
