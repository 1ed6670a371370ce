package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.tls.ServerTls;
import io.weir.kernel.tls.TlsFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's listeners: those that are open, and removed ones that still have connections. Shared; opened and changed
 * by one thread at a time.
 */
public final class Listeners {
    private final ListenParts parts;
    private final KernelContext kernel;
    private final List<Listener> leaving = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private long acceptedByGone;
    private volatile List<Listener> open = List.of();

    public Listeners(ListenParts parts) {
        this.parts = parts;
        this.kernel = parts.kernel();
    }

    /** The open listeners, in the order of opening or of the last change's configuration. */
    public List<Listener> open() {
        return open;
    }

    /**
     * Opens a listener immediately.
     *
     * @param descriptor of a listening socket, or {@link SharedPort#NONE} to bind one
     */
    public Listener open(String name, ListenerConfig config, AcceptedSockets accepting, int descriptor)
            throws BindFailure {
        Listener listener = bind(name, config, accepting, new Origin(descriptor, null));
        List<Listener> more = new ArrayList<>(open);
        more.add(listener);
        open = List.copyOf(more);
        accept(listener);
        return listener;
    }

    /**
     * The source of a listening socket: another process's descriptor, or a listener to be removed; else it is bound.
     */
    private record Origin(int descriptor, @Nullable Listener heirOf) {}

    private Listener bind(String name, ListenerConfig config, AcceptedSockets accepting, Origin origin)
            throws BindFailure {
        ServerTls tls = config.secure() ? tls(name, config) : null;
        ListeningSockets sockets =
                new ListeningSockets(parts.muxers().choice().transport(), name, config, kernel.log());
        int acceptors = sockets.acceptors();
        AcceptorFaults faults =
                new AcceptorFaults(name, kernel.log(), kernel.stats().counter(KernelStats.ACCEPT_PAUSES, name));
        IoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                acceptors,
                new AcceptorThreads(name),
                SteadyPolling.of(parts.muxers().choice().transport().polling(), faults));
        List<Channel> bound;
        try {
            if (origin.heirOf() != null) {
                bound = sockets.inherit(loops, acceptors, origin.heirOf().sockets());
            } else if (origin.descriptor() == SharedPort.NONE) {
                bound = sockets.bind(loops, acceptors);
            } else {
                bound = sockets.adopt(loops, acceptors, origin.descriptor());
            }
        } catch (BindFailure e) {
            var _ = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            if (tls != null) {
                tls.close();
            }
            forget(name);
            throw e;
        }
        return new Listener(kernel, name, config, accepting, new Listener.Sockets(bound, loops, faults), tls);
    }

    private ServerTls tls(String name, ListenerConfig config) throws BindFailure {
        try {
            return new ServerTls(name, config.tls(), parts.tls());
        } catch (TlsFault e) {
            throw new BindFailure(name, "Cannot use TLS for channel \"" + name + "\": " + TlsFault.reason(e), e);
        }
    }

    private void accept(Listener listener) {
        ServerTls tls = listener.tls();
        if (tls != null) {
            tls.serve();
        }
        listener.accept();
        kernel.log().log(
                KernelMessages.LISTENING,
                listener.name(),
                listener.config().address(),
                listener.address().getPort(),
                listener.spoken());
    }

    /**
     * Prepares a change: binds listeners that are new or have a new address, and loads certificates.
     *
     * @param next all listeners to be open, by name
     * @param accepting supplies the handler of a new listener's connections
     * @throws BindFailure if a listener cannot be opened; nothing is changed then
     */
    public ListenerChange prepare(Map<String, ListenerConfig> next, Function<ListenerConfig, AcceptedSockets> accepting)
            throws BindFailure {
        List<Listener> come = new ArrayList<>();
        Map<String, Listener> stay = new HashMap<>();
        List<Listener> go = new ArrayList<>();
        for (Listener l : open) {
            ListenerConfig c = next.get(l.name());
            if (c != null && c.unlimited().equals(l.config().unlimited())) {
                stay.put(l.name(), l);
            } else {
                go.add(l);
            }
        }
        List<Listener> order = new ArrayList<>();
        List<Listener> heirless = new ArrayList<>(go);
        try {
            for (Map.Entry<String, ListenerConfig> e : next.entrySet()) {
                Listener l = stay.get(e.getKey());
                if (l == null) {
                    l = successor(e.getKey(), e.getValue(), accepting.apply(e.getValue()), heirless);
                    come.add(l);
                }
                order.add(l);
            }
        } catch (BindFailure e) {
            come.forEach(this::drop);
            throw e;
        }
        return new ListenerChange(this, next, order, come, go);
    }

    /** A newly bound listener, or one that takes over the socket of a removed listener at the same address. */
    private Listener successor(String name, ListenerConfig config, AcceptedSockets accepting, List<Listener> heirless)
            throws BindFailure {
        Listener before = heirless.stream()
                .filter(l -> l.config().address().equals(config.address())
                        && l.config().port() == config.port()
                        && (config.port() != 0 || l.name().equals(name)))
                .findFirst()
                .orElse(null);
        if (before != null) {
            heirless.remove(before);
            return bind(name, config, accepting, new Origin(SharedPort.NONE, before));
        }
        try {
            return bind(name, config, accepting, new Origin(SharedPort.NONE, null));
        } catch (BindFailure e) {
            for (Listener l : heirless) {
                if (l.address().getPort() == config.port()) {
                    throw new BindFailure(
                            name,
                            e.getMessage() + " Here it is the listener " + l.name()
                                    + ", which this change takes away: take it away in a change of its own, first.",
                            e);
                }
            }
            throw e;
        }
    }

    /** Discards a prepared listener. */
    void drop(Listener l) {
        l.close();
        l.released();
        forget(l.name());
    }

    void put(ListenerChange change, Map<String, ListenerConfig> configs, Duration drainTimeOut) {
        open = change.order();
        change.stay().forEach(l -> l.config(configs.getOrDefault(l.name(), l.config())));
        change.come().forEach(this::accept);
        for (Listener l : change.go()) {
            leaving.add(l);
            close(l);
            parts.leaving().drain(l, drainTimeOut, this::gone);
        }
    }

    /** Called when the last connection of a removed listener has ended. */
    private void gone(Listener l) {
        leaving.remove(l);
        ServerTls tls = l.tls();
        if (tls != null) {
            tls.retire();
        }
        // the tasks running now may still hold a reference to its certificates
        parts.muxers().afterCurrentTasks(l::released);
        forget(l.name());
    }

    private void forget(String name) {
        if (open.stream().noneMatch(l -> l.name().equals(name))
                && leaving.stream().noneMatch(l -> l.name().equals(name))) {
            Stats stats = kernel.stats();
            lock.lock();
            try {
                acceptedByGone += stats.value(KernelStats.ACCEPTED, name);
                stats.forget("listener", name);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Number of connections accepted by all present and former listeners. */
    public long accepted() {
        lock.lock();
        try {
            return acceptedByGone + kernel.stats().sum(KernelStats.ACCEPTED);
        } finally {
            lock.unlock();
        }
    }

    /** Stops accepting on all listeners. */
    public void close() {
        open.forEach(this::close);
    }

    private void close(Listener l) {
        if (l.close()) {
            kernel.log().log(
                    KernelMessages.LISTENER_CLOSED,
                    l.name(),
                    l.config().address(),
                    l.address().getPort());
        }
    }

    /** Frees resources shared by connections; call after the last of them has ended. */
    public void released() {
        open.forEach(Listener::released);
        leaving.forEach(Listener::released);
    }
}
