package io.weir.broker;

import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.broker.config.MessagingConfig;
import io.weir.jms.WeirConnectionFactory;
import io.weir.journal.disk.FileDisk;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.KernelConfig;
import io.weir.wire.FrameRoutes;
import io.weir.wire.login.Principal;
import io.weir.wire.server.WireServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A broker on a free port of a kernel of its own; queue q and topic t exist, every user may log in. */
final class RealBroker implements AutoCloseable {
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final Live<MessagingConfig> config;
    final Kernel kernel;
    final Broker broker;
    private final WireServer wire;
    final Listener listener;

    RealBroker(@Nullable Path journal, String... settings) throws IOException, BindFailure {
        List<String> all = new ArrayList<>(List.of("queues.q.jndi-name=", "topics.t.jndi-name="));
        all.addAll(List.of(settings));
        this.config = new Live<>(Bench.bind(all));
        this.kernel = new Kernel(new KernelParts(
                new Live<>(ConfigBinder.defaults(KernelConfig.class)), Map.of(), SystemClock.INSTANCE, stats, log));
        this.broker = new Broker(new BrokerParts(
                kernel.muxers(),
                config,
                journal == null ? null : new FileDisk(journal),
                SystemClock.INSTANCE,
                stats,
                log));
        this.wire = new WireServer(
                config.part(MessagingConfig::wire),
                new WireServer.Parts(
                        (user, _, _) -> CompletableFuture.<@Nullable Principal>completedFuture(
                                new Principal(user == null ? "anonymous" : user, List.of())),
                        broker.directory(),
                        new FrameRoutes(List.of(broker.route())),
                        stats,
                        log,
                        SystemClock.INSTANCE));
        this.listener = kernel.open(
                "messaging",
                Bench.bind(ListenerConfig.class, List.of("port=0")),
                (connection, pipeline) -> wire.install(pipeline, connection.secure()));
    }

    String url() {
        return "weir://127.0.0.1:" + listener.address().getPort();
    }

    WeirConnectionFactory factory(String... options) {
        return new WeirConnectionFactory(url() + (options.length == 0 ? "" : "?" + String.join("&", options)));
    }

    @Override
    public void close() {
        wire.close().orTimeout(10, TimeUnit.SECONDS).join();
        broker.close();
        kernel.close();
    }
}
