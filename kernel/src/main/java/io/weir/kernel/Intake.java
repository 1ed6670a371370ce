package io.weir.kernel;

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
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a connection between accept and its muxer: limits, room made for it, assignment. Shared by all
 * acceptors and muxers of a kernel.
 */
final class Intake {
    private static final int LEAST_READ = 512;
    private static final int FIRST_READ = 4096;
    private static final int MOST_ARRIVING = 64;
    private static final int MOST_NAPS = 200;
    /** For each muxer. */
    private static final int TRIES = 3;
    /** Where room is made each look at the sockets makes some, and so many wait for that as may arrive at once. */
    private static final int LOOKS = 16;
    /** Of those that are waited for so many are compared at most. */
    private static final int MOST_COMPARED = 256;
    /** So much of all connections any address may hold: which one holds how many counts beyond that. */
    private static final int SHARE = 8;
    /** Where more than such a part of all wait for their clients, these have no time. */
    private static final int CROWD = 4;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Muxers muxers;
    private final Limits limits;
    private final KeepAlive keepAlive;
    private final Sessions sessions;
    private final Log log;
    private final ByteBufAllocator allocator;
    private final RecvByteBufAllocator reads;
    private final WriteBufferWaterMark marks;
    private final Addresses addresses = new Addresses();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong ids = new AtomicLong();
    private final Counter overflows;
    private final Counter givenUp;
    private final boolean makesRoom;
    private final Counter refusals;
    private volatile boolean closing;
    private volatile Runnable whenEmpty = () -> {};

    Intake(
            Muxers muxers,
            Limits limits,
            KeepAlive keepAlive,
            Sessions sessions,
            KernelParts parts,
            ByteBufAllocator a) {
        this.muxers = muxers;
        this.limits = limits;
        this.keepAlive = keepAlive;
        this.sessions = sessions;
        this.log = parts.log();
        this.makesRoom = parts.makesRoom();
        this.allocator = a;
        KernelConfig.BufferConfig buffers = limits.config().buffers();
        this.reads = new AdaptiveRecvByteBufAllocator(
                LEAST_READ,
                Math.min(FIRST_READ, buffers.readMax().asInt()),
                buffers.readMax().asInt());
        this.marks = new WriteBufferWaterMark(
                buffers.writeLow().asInt(), buffers.writeHigh().asInt());
        Stats stats = parts.stats();
        this.overflows = stats.counter(KernelStats.OVERFLOWED);
        this.givenUp = stats.counter(KernelStats.GIVEN_UP);
        this.refusals = stats.counter(KernelStats.REFUSED_ADDRESS);
        stats.gauge(KernelStats.CONNECTIONS_OPEN, this::open);
        stats.gauge(KernelStats.CONNECTIONS_LIMIT, limits::maxConnections);
    }

    /** A connection was accepted, on an acceptor's thread; its channel is registered nowhere yet. */
    void accepted(Listener listener, Channel child) {
        listener.acceptedCounter().inc();
        if (closing || !(child.remoteAddress() instanceof InetSocketAddress remote)) {
            drop(child);
            return;
        }
        // a load balancer holds as many as its clients need: theirs are counted once they are known
        boolean balanced = listener.config().proxyProtocol().enabled();
        int most = balanced ? Integer.MAX_VALUE : limits.maxFor(remote.getAddress());
        if (!addresses.admit(remote.getAddress(), most)) {
            refusals.inc();
            try {
                log.log(KernelMessages.REFUSED_ADDRESS, remote.getAddress().getHostAddress(), most);
            } finally {
                drop(child);
            }
        } else if (admit()) {
            assign(listener, child, remote);
        } else {
            makeRoom(
                    listener,
                    child,
                    remote,
                    (makesRoom ? LOOKS : TRIES) * muxers.all().size());
        }
    }

    /**
     * Holds an acceptor up while the muxer that is next has not taken what was handed to it: what connects meanwhile waits
     * in the backlog, where it costs nothing, and the muxers come back to the connections that they have. Not for longer
     * than a moment: a muxer that hangs must not end accepting.
     */
    void awaitRoom(Counter waits) {
        if (muxers.leastLoaded().arriving() < MOST_ARRIVING) {
            return;
        }
        waits.inc();
        for (int i = 0; i < MOST_NAPS && !closing && muxers.leastLoaded().arriving() > 0; i++) {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /**
     * A load balancer told whose connection this is: it counts for that address from now on. On its muxer.
     *
     * @return false: that address holds too many
     */
    boolean announced(Connection c, InetSocketAddress client) {
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
     * Asks the muxer with the oldest idle connection to flush it, or where none is idle that with the connection whose client
     * is waited for the longest to give one up; its place is taken by the new connection.
     */
    private void makeRoom(Listener listener, Channel child, InetSocketAddress remote, int tries) {
        Muxer muxer = tries == 0 ? null : withRoom(listener);
        if (muxer == null) {
            overflows.inc();
            try {
                if (makesRoom) {
                    log.log(KernelMessages.NO_ROOM, listener.name(), limits.maxConnections());
                } else {
                    log.log(KernelMessages.OVERFLOW, limits.maxConnections());
                }
            } finally {
                addresses.released(remote.getAddress());
                drop(child);
            }
            return;
        }
        // a listener that is taken away waits for what it accepted
        listener.opened();
        muxer.handedOver();
        muxer.eventLoop().execute(() -> {
            muxer.taken();
            boolean room = keepAlive.flushOldest(muxer);
            Connection goes = room ? null : toGiveUp(muxer, listener.kernel().clock());
            boolean unread = goes != null && goes.look >= muxer.look();
            if (goes != null && !unread) {
                giveUp(goes, listener);
                room = true;
            }
            if (room) {
                open.incrementAndGet();
            }
            if (room || admit()) {
                assign(listener, child, remote);
            } else if (unread) {
                afterLook(muxer, listener, child, remote, tries);
            } else {
                makeRoom(listener, child, remote, tries - 1);
            }
            listener.closedOne();
        });
    }

    /**
     * Many came at once, after a pause of the process for instance: the one that the new one would take the place of has not
     * been read yet. It may have said all that it has to say. On the muxer.
     */
    private void afterLook(Muxer muxer, Listener listener, Channel child, InetSocketAddress remote, int tries) {
        listener.opened();
        muxer.handedOver();
        muxer.afterLook(() -> {
            muxer.taken();
            makeRoom(listener, child, remote, tries - 1);
            listener.closedOne();
        });
    }

    private @Nullable Muxer withRoom(Listener listener) {
        Muxer idle = KeepAlive.withOldest(muxers.all(), Muxer::idle);
        if (idle != null || !makesRoom) {
            return idle;
        }
        Muxer found = withAwaited(listener);
        if (found != null) {
            return found;
        }
        // in a flood all may be on their way to their muxers: asked after them, these know whom they wait for
        return muxers.all().stream().filter(m -> m.arriving() > 0).findFirst().orElse(null);
    }

    /**
     * The muxer whose client is waited for the longest; null where nobody's time is over. Each has a second. While more than
     * a quarter of all connections wait for their clients nobody has: then it is who comes and sends at once that is served.
     */
    private @Nullable Muxer withAwaited(Listener listener) {
        Muxer found = KeepAlive.withOldest(muxers.all(), Muxer::awaited);
        if (found == null) {
            return null;
        }
        return overdue(found, listener.kernel().clock()) ? found : null;
    }

    private boolean overdue(Muxer muxer, Clock clock) {
        long since = muxer.awaited().oldestSince();
        return since != IdleConnections.NONE && (clock.nanos() - since >= PATIENCE_NANOS || crowded());
    }

    private boolean crowded() {
        int waiting = 0;
        for (Muxer each : muxers.all()) {
            waiting += each.awaited().size() + each.arriving();
        }
        return waiting > limits.maxConnections() / CROWD;
    }

    /** On its muxer. */
    private void giveUp(Connection c, Listener listener) {
        givenUp.inc();
        log.log(KernelMessages.MAKING_ROOM, listener.name(), limits.maxConnections());
        c.clientCame();
        c.reset();
    }

    /**
     * The connection that makes room where none is idle: of those whose clients' time is over one of the address that holds
     * the most, where that is more than any may hold; else, and among them, the one that has held its place for the longest,
     * whatever it was answered meanwhile: who asks for one thing is always newer than who stays and asks for more. Null where
     * there is none. On the muxer.
     */
    private @Nullable Connection toGiveUp(Muxer muxer, Clock clock) {
        if (!makesRoom) {
            return null;
        }
        long now = clock.nanos();
        boolean crowded = crowded();
        int share = Math.max(1, limits.maxConnections() / SHARE);
        Connection found = null;
        int most = 0;
        int compared = 0;
        for (Connection c = muxer.awaited().oldest(); c != null && compared < MOST_COMPARED; c = c.nextIdle) {
            compared++;
            if (!crowded && now - c.idleSince < PATIENCE_NANOS) {
                return found;
            }
            int held = Math.max(share, addresses.held(c.remote().getAddress()));
            if (found == null || held > most || (held == most && c.heldSince - found.heldSince < 0)) {
                found = c;
                most = held;
            }
        }
        return found;
    }

    private void assign(Listener listener, Channel child, InetSocketAddress remote) {
        Connection c;
        try {
            c = new Connection(ids.incrementAndGet(), listener, child, muxers.leastLoaded(), remote);
            options(listener.config(), child.config());
            child.pipeline().addLast("guard", new ConnectionGuard(c));
            child.closeFuture().addListener(_ -> closed(c));
        } catch (RuntimeException | Error e) {
            // its close would give its place back, but nobody will close it
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
            c.look = muxer.look();
        }
    }

    /** Netty makes its sockets without Nagle's delay; saying so again would be one more system call for each. */
    private void options(ListenerConfig config, ChannelConfig options) {
        options.setAllocator(allocator);
        options.setRecvByteBufAllocator(reads);
        options.setWriteBufferWaterMark(marks);
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

    /** Never registered, so nobody but this thread knows the channel. */
    private static void drop(Channel child) {
        child.unsafe().closeForcibly();
    }

    /** From now on new connections are dropped; runs the action each time none is left open. */
    void closing(Runnable empty) {
        whenEmpty = empty;
        closing = true;
    }

    int open() {
        return open.get();
    }

    Addresses addresses() {
        return addresses;
    }
}
