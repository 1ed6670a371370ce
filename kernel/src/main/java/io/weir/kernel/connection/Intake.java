package io.weir.kernel.connection;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.listen.AcceptedSockets;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.mux.Muxers;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Processes a connection between accept and its muxer: limits, eviction, assignment. Shared by all acceptors and muxers
 * of a kernel.
 */
public final class Intake {
    private static final int LEAST_READ = 512;
    private static final int FIRST_READ = 4096;
    private static final int MOST_ARRIVING = 64;
    private static final int MOST_NAPS = 200;
    /** Eviction attempts per muxer. */
    private static final int TRIES = 3;
    /**
     * Attempts per muxer in a kernel that makes room: each poll of the sockets can free places, and up to MOST_ARRIVING
     * connections wait for that.
     */
    private static final int LOOKS = 16;

    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Muxers muxers;
    private final List<WaitingConnections> waiting;
    private final ConnectionEviction eviction;
    private final KernelLimits limits;
    private final KeepAlive keepAlive;
    private final ClientSessions sessions;
    private final Pressure pressure;
    private final Function<Protocol, ConnectionParts> parts;
    private final Clock clock;
    private final Log log;
    private final ByteBufAllocator allocator;
    private final RecvByteBufAllocator reads;
    private final WriteBufferWaterMark marks;
    private final Addresses addresses = new Addresses();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong ids = new AtomicLong();
    private final Counter overflows;
    private final Counter evicted;
    private final boolean makesRoom;
    private final Counter refusals;
    private volatile boolean closing;
    private volatile Runnable whenEmpty = () -> {};

    /**
     * Creates a kernel's intake.
     *
     * @param makesRoom whether at max-connections the connection that has waited longest for its client is closed for a
     * new one
     */
    public Intake(
            KernelContext kernel,
            KernelLimits limits,
            Muxers muxers,
            KeepAlive keepAlive,
            ClientSessions sessions,
            ByteBufAllocator allocator,
            boolean makesRoom) {
        this.muxers = muxers;
        this.waiting = muxers.all().stream().map(WaitingConnections::new).toList();
        this.eviction = new ConnectionEviction(waiting, limits, addresses, kernel.clock(), makesRoom);
        this.limits = limits;
        this.keepAlive = keepAlive;
        this.sessions = sessions;
        this.clock = kernel.clock();
        this.log = kernel.log();
        this.makesRoom = makesRoom;
        this.allocator = allocator;
        // a keep-alive place that a streaming response has reserved is not an idle connection
        this.pressure = new Pressure(() -> Math.max(0, open() - idle()), limits, kernel, !makesRoom);
        this.parts = protocol -> new ConnectionParts(kernel, limits, pressure, keepAlive, this::announced, protocol);
        KernelConfig.BufferConfig buffers = limits.config().buffers();
        this.reads = new AdaptiveRecvByteBufAllocator(
                LEAST_READ,
                Math.min(FIRST_READ, buffers.readMax().asInt()),
                buffers.readMax().asInt());
        this.marks = new WriteBufferWaterMark(
                buffers.writeLow().asInt(), buffers.writeHigh().asInt());
        Stats stats = kernel.stats();
        this.overflows = stats.counter(KernelStats.OVERFLOWED);
        this.evicted = stats.counter(KernelStats.EVICTED);
        this.refusals = stats.counter(KernelStats.REFUSED_ADDRESS);
        stats.gauge(KernelStats.CONNECTIONS_OPEN, this::open);
        stats.gauge(KernelStats.CONNECTIONS_LIMIT, limits::maxConnections);
    }

    /** The sink for accepted connections that use a protocol. */
    public AcceptedSockets speaking(Protocol protocol) {
        return new Speaking(this, parts.apply(protocol));
    }

    private record Speaking(Intake intake, ConnectionParts parts) implements AcceptedSockets {
        @Override
        public String protocol() {
            return parts.protocol().name();
        }

        @Override
        public void accepted(Listener listener, Channel socket) {
            intake.accepted(listener, parts, socket);
        }

        @Override
        public void awaitRoom(Counter waits) {
            intake.awaitRoom(waits);
        }
    }

    /** A connection that was accepted and has no place yet. */
    private record Arrival(Listener listener, ConnectionParts parts, Channel channel, InetSocketAddress remote) {}

    /** Handles an accepted connection, on an acceptor's thread; its channel is not registered yet. */
    private void accepted(Listener listener, ConnectionParts parts, Channel child) {
        listener.acceptedCounter().inc();
        if (closing || !(child.remoteAddress() instanceof InetSocketAddress remote)) {
            drop(child);
            return;
        }
        // a load balancer holds as many connections as its clients need: they are counted per client once the PROXY
        // header is read
        boolean balanced = listener.config().proxyProtocol().enabled();
        int most = balanced ? Integer.MAX_VALUE : limits.maxFor(remote.getAddress());
        if (!addresses.admit(remote.getAddress(), most)) {
            refusals.inc();
            try {
                log.log(KernelMessages.REFUSED_ADDRESS, remote.getAddress().getHostAddress(), most);
            } finally {
                drop(child);
            }
            return;
        }
        Arrival arrival = new Arrival(listener, parts, child, remote);
        if (admit()) {
            assign(arrival);
        } else {
            makeRoom(arrival, (makesRoom ? LOOKS : TRIES) * muxers.all().size());
        }
    }

    /**
     * Blocks an acceptor while the next muxer has not registered the connections handed to it: new connections wait in
     * the backlog, where they cost nothing, and the muxers get back to the connections that they have. The wait is
     * short (20 ms at most), because a muxer that hangs must not stop accepting.
     */
    private void awaitRoom(Counter waits) {
        if (muxers.leastLoaded().arriving() < MOST_ARRIVING) {
            return;
        }
        waits.inc();
        for (int i = 0; i < MOST_NAPS && !closing && muxers.leastLoaded().arriving() > 0; i++) {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /**
     * Counts the connection for the client address of its PROXY header from now on. Call on its muxer.
     *
     * @return false if that address holds too many connections
     */
    private boolean announced(Connection c, InetSocketAddress client) {
        int most = limits.maxFor(client.getAddress());
        if (!addresses.admit(client.getAddress(), most)) {
            refusals.inc();
            log.log(KernelMessages.REFUSED_ADDRESS, client.getAddress().getHostAddress(), most);
            return false;
        }
        addresses.released(c.remote().getAddress());
        c.remote(client);
        return true;
    }

    private boolean admit() {
        int limit = limits.maxConnections();
        int n = open.get();
        while (n < limit) {
            if (open.compareAndSet(n, n + 1)) {
                return true;
            }
            n = open.get();
        }
        return false;
    }

    /**
     * Has the muxer with the oldest idle connection flush it, or, if none is idle, the muxer with the connection that
     * has waited longest for its client close that one; the new connection takes the freed place.
     */
    private void makeRoom(Arrival arrival, int tries) {
        Listener listener = arrival.listener();
        WaitingConnections from = tries == 0 ? null : eviction.from();
        if (from == null) {
            overflows.inc();
            try {
                if (makesRoom) {
                    log.log(KernelMessages.NO_ROOM, listener.name(), limits.maxConnections());
                } else {
                    log.log(KernelMessages.OVERFLOW, limits.maxConnections());
                }
            } finally {
                addresses.released(arrival.remote().getAddress());
                drop(arrival.channel());
            }
            return;
        }
        // a removed listener waits for the connections that it accepted
        Muxer muxer = from.muxer();
        listener.opened();
        muxer.handedOver();
        muxer.eventLoop().execute(() -> {
            muxer.taken();
            evictFrom(from, arrival, tries);
            listener.closedOne();
        });
    }

    /** Runs on the muxer whose connection is to be closed. */
    private void evictFrom(WaitingConnections from, Arrival arrival, int tries) {
        boolean room = keepAlive.flushOldest(from);
        Connection victim = room ? null : eviction.choose(from);
        boolean unread =
                victim != null && victim.registeredAtPoll >= from.muxer().polls();
        if (victim != null && !unread) {
            evict(victim, arrival.listener());
            room = true;
        }
        if (room) {
            open.incrementAndGet();
        }
        if (room || admit()) {
            assign(arrival);
        } else if (unread) {
            afterPoll(from.muxer(), arrival, tries);
        } else {
            makeRoom(arrival, tries - 1);
        }
    }

    /**
     * Retries after the muxer's next poll. Many connections arrived at once, for instance after a pause of the process,
     * and the eviction candidate has not been read yet; its request may already be complete. Call on the muxer.
     */
    private void afterPoll(Muxer muxer, Arrival arrival, int tries) {
        Listener listener = arrival.listener();
        listener.opened();
        muxer.handedOver();
        muxer.afterPoll(() -> {
            muxer.taken();
            makeRoom(arrival, tries - 1);
            listener.closedOne();
        });
    }

    /** Call on the connection's muxer. */
    private void evict(Connection c, Listener listener) {
        evicted.inc();
        log.log(KernelMessages.MAKING_ROOM, listener.name(), limits.maxConnections());
        c.clientResponded();
        c.reset();
    }

    private void assign(Arrival arrival) {
        Listener listener = arrival.listener();
        Channel child = arrival.channel();
        InetSocketAddress remote = arrival.remote();
        Connection c;
        try {
            WaitingConnections muxer = waiting.get(muxers.leastLoaded().index());
            c = new Connection(ids.incrementAndGet(), listener, child, muxer, arrival.parts(), remote, clock.nanos());
            options(listener.config(), child.config());
            child.pipeline().addLast("guard", new ConnectionGuard(c));
            child.closeFuture().addListener(_ -> closed(c));
        } catch (RuntimeException | Error e) {
            // closing it would release its place, but a channel that was never registered is never closed
            drop(child);
            addresses.released(remote.getAddress());
            open.decrementAndGet();
            throw e;
        }
        c.muxer().assigned();
        listener.opened();
        sessions.opened(c);
        c.muxer().handedOver();
        c.muxer().eventLoop().register(child).addListener(_ -> registered(c));
    }

    private void registered(Connection c) {
        Muxer muxer = c.muxer();
        muxer.taken();
        if (makesRoom) {
            c.registeredAtPoll = muxer.polls();
        }
    }

    /**
     * Sets the socket options. Netty already disables Nagle's algorithm; setting it again would cost a system call per
     * connection.
     */
    private void options(ListenerConfig config, ChannelConfig options) {
        options.setAllocator(allocator);
        options.setRecvByteBufAllocator(reads);
        options.setWriteBufferWaterMark(marks);
        options.setMessageSizeEstimator(UnsentBytes.INSTANCE);
        if (config.sendBuffer().bytes() > 0) {
            options.setOption(ChannelOption.SO_SNDBUF, config.sendBuffer().asInt());
        }
    }

    private void closed(Connection c) {
        c.closed();
        sessions.closed(c);
        c.muxer().released();
        c.listener().closedOne();
        addresses.released(c.remote().getAddress());
        if (open.decrementAndGet() == 0 && closing) {
            whenEmpty.run();
        }
    }

    /** Drops a channel that was never registered, so only this thread knows it. */
    private static void drop(Channel child) {
        child.unsafe().closeForcibly();
    }

    /** Drops new connections from now on, and runs the action each time the last open connection ends. */
    public void closing(Runnable empty) {
        whenEmpty = empty;
        closing = true;
    }

    /** Number of open connections. */
    public int open() {
        return open.get();
    }

    /** Number of connections that wait for their client's next request. */
    public int idle() {
        return waiting.stream().mapToInt(w -> w.idle().size()).sum();
    }

    /** Number of connections whose client has to send the rest of a request or to read a response. */
    public int awaited() {
        return waiting.stream().mapToInt(w -> w.awaited().size()).sum();
    }

    public Pressure pressure() {
        return pressure;
    }

    Addresses addresses() {
        return addresses;
    }
}
