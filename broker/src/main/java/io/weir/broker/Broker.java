package io.weir.broker;

import io.netty.channel.EventLoop;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.LoopSamplers;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.loop.MuxerLoop;
import io.weir.broker.recovery.BrokerRecovery;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.session.BrokerConnection;
import io.weir.broker.session.BrokerEngine;
import io.weir.jms.frames.FrameType;
import io.weir.journal.disk.Disk;
import io.weir.journal.settings.JournalFault;
import io.weir.kernel.mux.Muxer;
import io.weir.wire.FrameHandler;
import io.weir.wire.FrameRoutes;
import io.weir.wire.WireConnection;
import io.weir.wire.naming.NamingDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The messaging broker. Shared; lives as long as the server, within its kernel. */
public final class Broker implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    /** The last frame type reserved for messaging. */
    private static final int LAST_TYPE = 0x5f;

    private final BrokerParts parts;
    private final Map<EventLoop, BrokerLoop> loops = new LinkedHashMap<>();
    private final BrokerEngine engine;
    private final BrokerAdmin admin;
    private final ServerSender sender;
    private final NamingDirectory directory;
    private final List<LoopMaintenance> upkeep = new ArrayList<>();

    /**
     * Opens the store, recovers its messages and subscriptions, and creates the configured destinations; connections
     * are accepted afterwards, through {@link #route()}.
     *
     * @throws IOException if the store cannot be opened; the message gives the reason
     */
    public Broker(BrokerParts parts) throws IOException {
        this.parts = parts;
        for (Muxer m : parts.muxers().all()) {
            loops.put(
                    m.eventLoop(),
                    new MuxerLoop(
                            m,
                            parts.clock(),
                            () -> parts.config().get().limits().mailboxCapacity(),
                            parts.stats(),
                            parts.log()));
        }
        this.engine = new BrokerEngine(
                List.copyOf(loops.values()), parts.config(), parts.clock(), parts.stats(), parts.log());
        LoopSamplers samplers = new LoopSamplers(engine);
        this.admin = new BrokerAdmin(engine, samplers);
        this.sender = new ServerSender(engine);
        this.directory = new BrokerDirectory(parts.config());
        int recovered = recover();
        for (BrokerLoop loop : engine.loops()) {
            LoopMaintenance u = new LoopMaintenance(engine, samplers.of(loop), loop);
            upkeep.add(u);
            loop.post(u::start);
        }
        parts.log().log(
                BrokerMessages.STARTED,
                parts.config().get().queues().size(),
                parts.config().get().topics().size(),
                recovered);
    }

    private int recover() throws IOException {
        Disk disk = parts.journal();
        if (disk == null || !parts.config().get().jmsServer().storeEnabled()) {
            boolean downgrade = parts.config().get().jmsServer().allowsPersistentDowngrade();
            parts.log().log(BrokerMessages.NO_STORE, downgrade ? "kept in memory only" : "refused");
            return 0;
        }
        BrokerRecovery recovery = new BrokerRecovery(engine, this::passed);
        try {
            engine.store()
                    .open(disk, parts.config().get().journal(), engine.loops(), parts.clock(), parts.stats(), recovery);
        } catch (JournalFault e) {
            throw new IOException(e.getMessage(), e);
        }
        recovery.finish();
        passed();
        return recovery.messages();
    }

    /** Waits until all loops have run the tasks posted to them so far. */
    private void passed() {
        CompletableFuture.allOf(engine.loops().stream().map(Broker::passed).toArray(CompletableFuture<?>[]::new))
                .orTimeout(CLOSE_SECONDS * 10, TimeUnit.SECONDS)
                .join();
    }

    /** Completes when a loop has run all tasks posted to it so far. */
    private static CompletableFuture<Void> passed(BrokerLoop loop) {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        loop.post(() -> passed.complete(null));
        return passed;
    }

    /** The route of the messaging frames, on every connection after its login. */
    public FrameRoutes.Route route() {
        return new FrameRoutes.Route(FrameType.CONNECTION_START, LAST_TYPE, true, this::connected);
    }

    private FrameHandler connected(WireConnection connection) {
        BrokerLoop loop = loops.get(connection.loop());
        if (loop == null) {
            throw new IllegalStateException(connection + " is on an event loop that is not a muxer");
        }
        return new BrokerConnection(engine, connection, loop);
    }

    /** Connection factories and destinations by their JNDI names. */
    public NamingDirectory directory() {
        return directory;
    }

    /** Monitoring and administration for operators. */
    public BrokerAdmin admin() {
        return admin;
    }

    /** Sends messages that the server itself produces. */
    public ServerSender sender() {
        return sender;
    }

    BrokerEngine engine() {
        return engine;
    }

    /**
     * Writes pending records and closes the store. Called after the connections are closed and before the kernel is
     * closed.
     */
    @Override
    public void close() {
        upkeep.forEach(LoopMaintenance::stop);
        engine.store().close();
        engine.branches().abandon();
        passed();
        engine.loops().forEach(l -> l.post(() -> engine.destinations().abandon(l)));
        passed();
        parts.log().log(BrokerMessages.STOPPED);
    }
}
