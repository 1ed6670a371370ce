package io.weir.kernel.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Muxer;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection from accept to close. Owned by the muxer that it was assigned to: all methods except the
 * getters must be called on that muxer's thread.
 */
public final class Connection {
    /** Links and flags of the keep-alive subsystem, kept here so that an idle connection needs no further object. */
    @Nullable
    Connection previousIdle;

    @Nullable
    Connection nextIdle;

    long idleSince;
    boolean parked;
    boolean awaited;
    boolean reserved;
    boolean late;

    /** The channel is closed: anything acquired for it from now on would never be released. */
    boolean gone;
    /** Since when the connection has held its place for its current request. */
    long heldSince;

    /**
     * The muxer's poll iteration in which the connection was registered; MAX_VALUE until it is registered, and where
     * eviction does not need it.
     */
    long registeredAtPoll = Long.MAX_VALUE;

    /** The lists that hold the connection while it waits. */
    final WaitingConnections waiting;

    private final long id;
    private final Listener listener;
    private final Channel channel;
    private volatile InetSocketAddress remote;
    private final long acceptedNanos;
    private final SessionState state;
    /** State shared with other connections. */
    final ConnectionParts parts;

    private @Nullable String remoteText;
    private volatile @Nullable Set<SessionState> streams;
    private @Nullable String sni;
    private List<X509Certificate> clientCertificates = List.of();
    private @Nullable Runnable onDrain;
    private @Nullable Runnable onLeave;
    private @Nullable Deadline firstRequest;
    private boolean draining;
    private boolean announcedSecure;

    Connection(
            long id,
            Listener listener,
            Channel channel,
            WaitingConnections waiting,
            ConnectionParts parts,
            InetSocketAddress remote,
            long acceptedNanos) {
        this.id = id;
        this.listener = listener;
        this.channel = channel;
        this.waiting = waiting;
        this.parts = parts;
        this.remote = remote;
        this.acceptedNanos = acceptedNanos;
        this.heldSince = acceptedNanos;
        this.state = new SessionState(acceptedNanos);
    }

    /** Unique within the kernel, in the order of accepts. */
    public long id() {
        return id;
    }

    public Listener listener() {
        return listener;
    }

    public Channel channel() {
        return channel;
    }

    public Muxer muxer() {
        return waiting.muxer();
    }

    /** The client's address; behind a load balancer, the one from its PROXY header. */
    public InetSocketAddress remote() {
        return remote;
    }

    /** {@link #remote} as text, without the port. Call on the muxer. */
    public String remoteText() {
        String text = remoteText;
        if (text == null) {
            text = remote.getAddress().getHostAddress();
            remoteText = text;
        }
        return text;
    }

    /**
     * The descriptor of the socket, if what is written to it reaches the client as it is, without TLS, and a
     * {@link io.netty.channel.FileRegion} of the caller's may write to it itself: with epoll only. Less than 0 otherwise.
     */
    public int socket() {
        // not only the listener's TLS: a protocol may add its own, as that between members does
        return channel instanceof EpollSocketChannel epoll && channel.pipeline().get(SslHandler.class) == null
                ? epoll.fd().intValue()
                : -1;
    }

    /** The address that the client connected to. */
    public InetSocketAddress local() {
        return channel.localAddress() instanceof InetSocketAddress a ? a : listener.address();
    }

    /** Whether the connection is encrypted. */
    public boolean secure() {
        return listener.secure();
    }

    /**
     * Whether the client uses TLS: on this connection, or according to a trusted load balancer (PROXY protocol,
     * PP2_TYPE_SSL).
     */
    public boolean clientSecure() {
        return announcedSecure || secure();
    }

    /** Records that the client uses TLS, according to the PROXY header. Call on the muxer. */
    void announceSecure() {
        announcedSecure = true;
    }

    /** The server name (SNI) from the client's TLS handshake, or null. */
    public @Nullable String sni() {
        return sni;
    }

    /** The TLS session, or null without TLS. */
    public @Nullable SSLSession tls() {
        SslHandler handler = secure() ? channel.pipeline().get(SslHandler.class) : null;
        return handler == null ? null : handler.engine().getSession();
    }

    /** The client's certificate chain as verified against client-trust, leaf first; empty if the client sent none. */
    public List<X509Certificate> clientCertificates() {
        return clientCertificates;
    }

    /** The protocol negotiated by ALPN, or null. */
    public @Nullable String alpn() {
        SslHandler handler = secure() ? channel.pipeline().get(SslHandler.class) : null;
        return handler == null ? null : handler.applicationProtocol();
    }

    /** When the connection was accepted, by the kernel's clock. */
    public long acceptedNanos() {
        return acceptedNanos;
    }

    /** The state that monitoring shows for this connection. */
    public SessionState state() {
        return state;
    }

    /** Marks the protocol as multiplexing several requests: monitoring shows each request instead of the connection. */
    public void share() {
        streams = ConcurrentHashMap.newKeySet();
    }

    /** Adds the monitoring state of one multiplexed request, shown until {@link #streamEnded}. */
    public SessionState stream() {
        SessionState opened = new SessionState(waiting.muxer().deadlines().now());
        Set<SessionState> all = streams;
        if (all != null) {
            all.add(opened);
        }
        return opened;
    }

    /** Removes the state of a finished request of {@link #stream}. */
    public void streamEnded(SessionState ended) {
        Set<SessionState> all = streams;
        if (all != null) {
            all.remove(ended);
        }
    }

    /** The state of the one request, or of the several requests that share the connection. */
    Collection<SessionState> states() {
        Set<SessionState> several = streams;
        return several == null ? List.of(state) : several;
    }

    /**
     * Marks the connection as waiting for its client, which has not sent a whole request or does not read its response.
     * If the kernel evicts, the connections that have waited longest are closed in favour of new ones when there are
     * too many. Call on the muxer.
     */
    public void awaitClient() {
        if (!awaited && !parked && !gone) {
            awaited = true;
            idleSince = muxer().deadlines().now();
            state.awaited(idleSince);
            waiting.awaited().add(this);
        }
    }

    /**
     * Records that a client whose requests were all answered sends another one. A kernel that makes room evicts first
     * the connections that have held their places longest; this connection has held its place only from now on. Call on
     * the muxer.
     */
    public void renewPlace() {
        heldSince = muxer().deadlines().now();
    }

    /** The client has sent or read what the connection waited for. Call on the muxer. */
    public void clientResponded() {
        if (awaited) {
            awaited = false;
            waiting.awaited().remove(this);
        }
    }

    /**
     * A request begins to arrive: ends the accept time-out or the idle time (which then counts as a keep-alive hit).
     */
    public void busy() {
        clientResponded();
        Deadline waiting = firstRequest;
        if (waiting != null) {
            muxer().deadlines().disarm(waiting);
            firstRequest = null;
        }
        parts.keepAlive().resumed(this);
        state.arriving();
    }

    /**
     * The response is written and no next request has arrived.
     *
     * @return false if there is no keep-alive place: close the connection
     */
    public boolean idle() {
        if (draining) {
            // its muxer has closed what was idle: nothing would close this one
            parts.keepAlive().release(this);
            return false;
        }
        if (!parts.keepAlive().park(this)) {
            return false;
        }
        state.status(SessionStatus.KEEP_ALIVE);
        return true;
    }

    /** Whether the connection was closed because its client read too slowly. */
    public boolean late() {
        return late;
    }

    /** Whether the connection or the kernel is draining: responses must carry {@code Connection: close}. */
    public boolean draining() {
        return draining || parts.keepAlive().draining();
    }

    /**
     * Sets the action that runs when the kernel drains while this connection is busy: finish, then close. It runs at
     * most once.
     */
    public void onDrain(Runnable action) {
        onDrain = action;
    }

    /**
     * Sets the action that runs instead of closing this connection while it is idle, and when the kernel leaves its
     * clients to another process. For protocols that can notify the client before closing (GOAWAY), so that no request
     * in flight is lost. It runs at most once.
     */
    public void onLeave(Runnable action) {
        onLeave = action;
    }

    /** Closes the connection. Callable from any thread. */
    public void close() {
        var _ = channel.close();
    }

    /** Closes the connection with a TCP reset, so that no unsent data lingers. Callable from any thread. */
    public void reset() {
        Resets.reset(channel);
    }

    /** Whether written data has not been sent to the client yet. Call on the muxer. */
    boolean unsent() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer != null && buffer.totalPendingWriteBytes() > 0;
    }

    /** Sets the client's address from a PROXY header. */
    void remote(InetSocketAddress client) {
        remote = client;
        remoteText = null;
    }

    void sni(@Nullable String name) {
        sni = name;
    }

    void clientCertificates(List<X509Certificate> shown) {
        clientCertificates = shown;
    }

    /** Arms the deadline for the client's first data; it replaces an earlier one. */
    void waitForFirstRequest(Deadline deadline, long nanos) {
        if (gone) {
            return;
        }
        Deadline before = firstRequest;
        if (before != null) {
            muxer().deadlines().disarm(before);
        }
        firstRequest = deadline;
        muxer().deadlines().arm(deadline, nanos);
        awaitClient();
    }

    /** Makes the protocol finish; returns true if the connection was idle and is closed. */
    public boolean drain() {
        draining = true;
        if (parked || firstRequest != null) {
            if (leave()) {
                return true;
            }
            if (unsent()) {
                channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            } else {
                close();
            }
            return true;
        }
        Runnable action = onDrain;
        if (action != null) {
            onDrain = null;
            action.run();
        }
        return false;
    }

    /** Runs the protocol's leave action; returns false if there is none, so that the connection must be closed. */
    public boolean leave() {
        Runnable action = onLeave;
        if (action == null) {
            return false;
        }
        onLeave = null;
        parts.keepAlive().release(this);
        action.run();
        return true;
    }

    /** Removes the connection from all lists; its channel is closed. */
    void closed() {
        gone = true;
        clientResponded();
        Deadline waiting = firstRequest;
        if (waiting != null) {
            muxer().deadlines().disarm(waiting);
            firstRequest = null;
        }
        parts.keepAlive().release(this);
    }

    @Override
    public String toString() {
        return "connection " + id + " from " + remote;
    }
}
