package io.weir.kernel.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
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
 * A client's connection from accept to close. Owned by the muxer that it was assigned to: call it on that muxer's
 * thread, but for the getters.
 */
public final class Connection {
    /** Links and marks of the keep-alive subsystem, kept here so that an idle connection costs no further object. */
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
    /** Since when it holds its place for what it is now asked for. */
    long heldSince;

    /** Its muxer's look at which it came; unknown until it is registered, and where nobody asks. */
    long look = Long.MAX_VALUE;

    /** Where it stands while it waits. */
    final WaitingConnections waiting;

    private final long id;
    private final Listener listener;
    private final Channel channel;
    private volatile InetSocketAddress remote;
    private final long acceptedNanos;
    private final SessionState state;
    /** What it shares with others. */
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

    /** That address as text, without the port. On the muxer. */
    public String remoteText() {
        String text = remoteText;
        if (text == null) {
            text = remote.getAddress().getHostAddress();
            remoteText = text;
        }
        return text;
    }

    /** The address that the client connected to. */
    public InetSocketAddress local() {
        return channel.localAddress() instanceof InetSocketAddress a ? a : listener.address();
    }

    /** Whether it is encrypted. */
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

    /** The PROXY header says that the client uses TLS. On the muxer. */
    void announceSecure() {
        announcedSecure = true;
    }

    /** The name that the client asked for in its TLS handshake, or null. */
    public @Nullable String sni() {
        return sni;
    }

    /** The TLS session, or null without TLS. */
    public @Nullable SSLSession tls() {
        SslHandler handler = secure() ? channel.pipeline().get(SslHandler.class) : null;
        return handler == null ? null : handler.engine().getSession();
    }

    /** What the client showed and was checked against client-trust, leaf first; empty where it showed nothing. */
    public List<X509Certificate> clientCertificates() {
        return clientCertificates;
    }

    /** The protocol that ALPN agreed on, or null. */
    public @Nullable String alpn() {
        SslHandler handler = secure() ? channel.pipeline().get(SslHandler.class) : null;
        return handler == null ? null : handler.applicationProtocol();
    }

    /** When it was accepted, by the kernel's clock. */
    public long acceptedNanos() {
        return acceptedNanos;
    }

    /** What monitoring shows of it. */
    public SessionState state() {
        return state;
    }

    /** Its protocol has several requests at a time: monitoring shows each of them, not the connection. */
    public void share() {
        streams = ConcurrentHashMap.newKeySet();
    }

    /** What monitoring shows of one request among several, until {@link #streamEnded}. */
    public SessionState stream() {
        SessionState opened = new SessionState(waiting.muxer().deadlines().now());
        Set<SessionState> all = streams;
        if (all != null) {
            all.add(opened);
        }
        return opened;
    }

    /** A request of {@link #stream} is over. */
    public void streamEnded(SessionState ended) {
        Set<SessionState> all = streams;
        if (all != null) {
            all.remove(ended);
        }
    }

    /** What it does: one request, or several that share it. */
    Collection<SessionState> states() {
        Set<SessionState> several = streams;
        return several == null ? List.of(state) : several;
    }

    /**
     * The client keeps it waiting: it has not sent a whole request, or does not take an answer. Where there are too
     * many connections, those that have waited longest are closed in favour of new ones, if the kernel evicts. On the
     * muxer.
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
     * Its client had been given all that it asked for, and asks again: in a kernel that makes room those go first that
     * have held their places for the longest, and it has held its own from now on. On the muxer.
     */
    public void asksAnew() {
        heldSince = muxer().deadlines().now();
    }

    /** The client has sent or taken what was waited for. On the muxer. */
    public void clientCame() {
        if (awaited) {
            awaited = false;
            waiting.awaited().remove(this);
        }
    }

    /** A request begins to arrive: ends the accept time-out or the idle time (then a keep-alive hit). */
    public void busy() {
        clientCame();
        Deadline waiting = firstRequest;
        if (waiting != null) {
            muxer().deadlines().disarm(waiting);
            firstRequest = null;
        }
        parts.keepAlive().resumed(this);
        state.arriving();
    }

    /**
     * The answer is written and no next request is in.
     *
     * @return false: no place to idle, close the connection
     */
    public boolean idle() {
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

    /** Whether the kernel is draining: answers say close. */
    public boolean draining() {
        return draining || parts.keepAlive().draining();
    }

    /**
     * What to do when the kernel drains while this connection is busy: finish, then close. It is called at most once.
     */
    public void onDrain(Runnable action) {
        onDrain = action;
    }

    /**
     * What to do in place of closing this connection while it is idle, and when the kernel leaves its clients to
     * another process: for a protocol that can tell its client first and close soon after, so that no request on its
     * way is lost. It is called at most once.
     */
    public void onLeave(Runnable action) {
        onLeave = action;
    }

    /** Closes it. From any thread. */
    public void close() {
        var _ = channel.close();
    }

    /** Closes it with a reset, so that nothing of what is unsent lingers. From any thread. */
    public void reset() {
        Resets.reset(channel);
    }

    /** Whether the client has not taken all of what was written to it. On the muxer. */
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

    /** Arms the deadline of what the client is to send first; it takes the place of an earlier one. */
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

    /** Tells the protocol to finish; true when it was idle and is closed. */
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

    /** Tells a protocol that knows how to leave to do so; false where it must be closed. */
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

    /** Takes it out of all lists; the channel is closed. */
    void closed() {
        gone = true;
        clientCame();
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
