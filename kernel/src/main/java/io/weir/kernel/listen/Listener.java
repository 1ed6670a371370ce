package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.IoEventLoopGroup;
import io.weir.base.Counter;
import io.weir.base.Network;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.tls.CertificateReport;
import io.weir.kernel.tls.ServerTls;
import io.weir.kernel.tls.TlsReload;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A channel, as WebLogic's log calls it: a listening socket with its acceptors. Shared; lives until it is closed or its
 * kernel is.
 */
public final class Listener {
    /** After a start: what is not needed to serve does not delay it. */
    private static final long SETTLED_SECONDS = 1;

    private final KernelContext kernel;
    private final String name;
    private final InetSocketAddress address;
    private final Sockets sockets;
    private final @Nullable ServerTls tls;
    private final List<Network> proxies;
    private final AcceptedSockets accepting;
    private final BorrowedSockets borrowed;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Counter accepted;
    private final Counter waits;
    private volatile ListenerConfig config;
    private volatile @Nullable Runnable whenEmpty;

    /** The listening socket, once for each acceptor, with the acceptors' threads and their fault handling. */
    record Sockets(List<Channel> bound, IoEventLoopGroup acceptors, AcceptorFaults faults) {
        Sockets {
            bound = List.copyOf(bound);
        }
    }

    Listener(
            KernelContext kernel,
            String name,
            ListenerConfig config,
            AcceptedSockets accepting,
            Sockets sockets,
            @Nullable ServerTls tls) {
        this.kernel = kernel;
        this.name = name;
        this.config = config;
        this.accepting = accepting;
        this.sockets = sockets;
        this.tls = tls;
        this.proxies = Network.all(config.proxyProtocol().trusted());
        this.address = (InetSocketAddress) sockets.bound().getFirst().localAddress();
        this.accepted = kernel.stats().counter(KernelStats.ACCEPTED, name);
        this.waits = kernel.stats().counter(KernelStats.ACCEPT_WAITS, name);
        this.borrowed = new BorrowedSockets(sockets.acceptors(), this::acceptor);
    }

    /** Starts accepting. */
    void accept() {
        kernel.stats().gauge(KernelStats.LISTENER_OPEN, this::connections, name);
        sockets.faults().watch(sockets.bound());
        if (config.proxyProtocol().enabled()) {
            kernel.stats().begin(KernelStats.PROXY_HEADERS, name);
            kernel.stats().begin(KernelStats.PROXY_REFUSED, name);
        }
        Backlog.watch(sockets.bound().getFirst(), kernel.stats(), name);
        for (Channel socket : sockets.bound()) {
            socket.pipeline().addLast("acceptor", acceptor(socket));
            socket.config().setAutoRead(true);
            var _ = socket.eventLoop().schedule(BatchScheduling::request, SETTLED_SECONDS, TimeUnit.SECONDS);
        }
    }

    private Acceptor acceptor(Channel socket) {
        return new Acceptor(this, accepting, sockets.faults(), socket);
    }

    public String name() {
        return name;
    }

    public ListenerConfig config() {
        return config;
    }

    /** The address that it listens on, with the real port. */
    public InetSocketAddress address() {
        return address;
    }

    /** The configured address with the real port, as in a URL. */
    public String place() {
        return config.place(address.getPort());
    }

    public boolean secure() {
        return config.secure();
    }

    /** The protocol name for log messages, {@code http} or, over TLS, {@code https}. */
    String spoken() {
        return accepting.protocol() + (secure() ? "s" : "");
    }

    /** Number of acceptor threads. */
    public int acceptorThreads() {
        return sockets.bound().size();
    }

    /** Number of open connections. */
    public int connections() {
        return open.get();
    }

    /** Maximum number of connections that were open at once. */
    public int mostConnections() {
        return most.get();
    }

    /** Whether the listener was removed, so that its connections are to end. */
    public boolean leaving() {
        return whenEmpty != null;
    }

    /** Marks the listener as removed: runs the action, perhaps more than once, when its last connection has ended. */
    public void whenEmpty(Runnable action) {
        whenEmpty = action;
        if (open.get() == 0) {
            action.run();
        }
    }

    /** Number of connections accepted so far. */
    public long accepted() {
        return accepted.value();
    }

    /**
     * Also accepts from the sockets of other processes that currently cannot accept; with an empty set only from its
     * own.
     *
     * @param descriptors of listening sockets; they are not closed
     * @throws IOException if no descriptor is free
     */
    public void also(Set<Integer> descriptors) throws IOException {
        List<Channel> all = new ArrayList<>(sockets.bound());
        all.addAll(borrowed.set(descriptors));
        sockets.faults().watch(all);
    }

    /** Stops accepting; open connections continue. Returns false if it was closed already. */
    public boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        borrowed.close();
        List<ChannelFuture> closing =
                sockets.bound().stream().map(Channel::close).toList();
        closing.forEach(c -> c.awaitUninterruptibly(1, TimeUnit.SECONDS));
        // With several NIO acceptors the socket is closed only when their selectors are.
        sockets.acceptors().shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        return true;
    }

    /** The certificates that it presents; empty without TLS. */
    public List<CertificateReport> certificates() {
        return tls == null ? List.of() : tls.certificates();
    }

    /** Reloads certificates and keys for subsequent handshakes; open connections continue. May block. */
    public TlsReload reloadCertificates() {
        return tls == null ? new TlsReload(kernel.clock().millis(), "it has no TLS", List.of()) : tls.reload();
    }

    /** Frees resources shared by its connections; call after the last of them has ended. */
    void released() {
        if (tls != null) {
            tls.close();
        }
    }

    /** The networks of trusted load balancers. */
    public List<Network> proxies() {
        return proxies;
    }

    @Nullable
    public ServerTls tls() {
        return tls;
    }

    public List<Channel> sockets() {
        return sockets.bound();
    }

    /** Applies settings that do not require a new listener. */
    void config(ListenerConfig next) {
        config = next;
    }

    public Counter acceptedCounter() {
        return accepted;
    }

    Counter waitsCounter() {
        return waits;
    }

    public void opened() {
        most.accumulateAndGet(open.incrementAndGet(), Math::max);
    }

    public void closedOne() {
        // read after the decrement: an action set concurrently either sees the count of zero or is seen here
        if (open.decrementAndGet() == 0) {
            Runnable action = whenEmpty;
            if (action != null) {
                action.run();
            }
        }
    }
}
