package io.weir.broker;

import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.weir.journal.JournalFault;
import io.weir.kernel.Connection;
import io.weir.kernel.Muxer;
import io.weir.kernel.Protocol;
import io.weir.kernel.SessionStatus;
import io.weir.wire.FrameHandler;
import io.weir.wire.NamingDirectory;
import io.weir.wire.WireConnection;
import io.weir.wire.WireServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The messaging broker. Shared; lives as long as the server, within its kernel. */
public final class Broker implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final BrokerParts parts;
    private final Map<EventLoop, Loop> loops = new LinkedHashMap<>();
    private final Engine engine;
    private final BrokerAdmin admin;
    private final NamingDirectory directory;
    private final WireServer wire;
    private final List<Upkeep> upkeep = new ArrayList<>();

    /**
     * Opens the store, recovers what it holds, and makes the configured destinations; listeners are opened afterwards
     * with {@link #protocol()}.
     *
     * @throws IOException when the store cannot be opened; it says why
     */
    public Broker(BrokerParts parts) throws IOException {
        this.parts = parts;
        for (Muxer m : parts.muxers().all()) {
            loops.put(m.eventLoop(), new MuxerLoop(m, parts.clock(), parts));
        }
        this.engine =
                new Engine(List.copyOf(loops.values()), parts.config(), parts.clock(), parts.stats(), parts.log());
        this.admin = new BrokerAdmin(engine);
        this.directory = new BrokerDirectory(parts.config());
        this.wire = new WireServer(
                parts.config().part(c -> c.wire()),
                new WireServer.Parts(
                        parts.authenticator(), directory, this::connected, parts.stats(), parts.log(), parts.clock()));
        int recovered = recover();
        for (Loop loop : engine.loops()) {
            Upkeep u = new Upkeep(engine, loop);
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
        Path directory = parts.journal();
        if (directory == null || !parts.config().get().jmsServer().storeEnabled()) {
            boolean downgrade = parts.config().get().jmsServer().allowsPersistentDowngrade();
            parts.log().log(BrokerMessages.NO_STORE, downgrade ? "kept in memory only" : "refused");
            return 0;
        }
        Recovery recovery = new Recovery(engine, this::passed);
        try {
            engine.store()
                    .open(
                            directory,
                            parts.config().get().journal(),
                            engine.loops(),
                            parts.clock(),
                            parts.stats(),
                            recovery);
        } catch (JournalFault e) {
            throw new IOException(e.getMessage(), e);
        }
        recovery.report();
        passed();
        return recovery.messages();
    }

    /** Waits until all loops did what they were given so far. */
    private void passed() {
        CompletableFuture.allOf(engine.loops().stream().map(Broker::passed).toArray(CompletableFuture<?>[]::new))
                .orTimeout(CLOSE_SECONDS * 10, TimeUnit.SECONDS)
                .join();
    }

    /** Completes when a loop did all that it was given so far. */
    private static CompletableFuture<Void> passed(Loop loop) {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        loop.post(() -> passed.complete(null));
        return passed;
    }

    private FrameHandler connected(WireConnection connection) {
        Loop loop = loops.get(connection.loop());
        if (loop == null) {
            throw new IllegalStateException(connection + " is on a loop that is no muxer");
        }
        return new BrokerConnection(engine, connection, loop);
    }

    /** What is spoken on messaging listeners. */
    public Protocol protocol() {
        return new Protocol() {
            @Override
            public void install(Connection connection, ChannelPipeline pipeline) {
                connection.busy();
                // no request for perfdump's Sessions: messaging has tables of its own
                connection.state().status(SessionStatus.IDLE);
                WireConnection installed = wire.install(pipeline, connection.secure());
                connection.onDrain(() -> wire.drain(installed));
            }

            @Override
            public String name() {
                return "weir";
            }
        };
    }

    /** Connection factories and destinations by their JNDI names. */
    public NamingDirectory directory() {
        return directory;
    }

    /** What operators see and do. */
    public BrokerAdmin admin() {
        return admin;
    }

    Engine engine() {
        return engine;
    }

    /** Closes connections cleanly, writes what is due, and closes the store. Before the kernel is closed. */
    @Override
    public void close() {
        CompletableFuture<Void> closed = wire.close();
        closed.completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
        upkeep.forEach(Upkeep::stop);
        engine.store().close();
        engine.loops().forEach(l -> l.post(() -> engine.destinations().abandon(l)));
        passed();
        parts.log().log(BrokerMessages.STOPPED);
    }
}
