package io.weir.proxy;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.KernelConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.disk.DiskFolders;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.context.EngineMessages;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Logins;
import io.weir.proxy.program.run.ServerViews;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A proxy on a kernel of its own, on a free port. Owned by one test. */
final class TestProxy implements AutoCloseable {
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final Kernel kernel;
    final Proxy proxy;
    final Listener listener;
    final Live<ProxyConfig> config;
    final Live<CacheConfig> cache;
    private final @Nullable AccessLogs accessLog;

    /** What a proxy is made from; each line is a knob, as {@link TestConfig} reads it. */
    record Made(
            List<String> proxy,
            List<String> kernel,
            List<String> cache,
            List<String> listener,
            @Nullable Path data) {
        static Made of(String... proxy) {
            return new Made(List.of(proxy), List.of("socket-readers=1"), List.of(), List.of("port=0"), null);
        }

        Made kernel(String... lines) {
            return new Made(proxy, List.of(lines), cache, listener, data);
        }

        Made cache(String... lines) {
            return new Made(proxy, kernel, List.of(lines), listener, data);
        }

        Made listener(String... lines) {
            return new Made(proxy, kernel, cache, List.of(lines), data);
        }

        /** Writes its access log in this folder. */
        Made data(Path folder) {
            return new Made(proxy, kernel, cache, listener, folder);
        }

        /** The section {@code proxy} that it says. */
        ProxyConfig config() {
            return bind(ProxyConfig.class, proxy.toArray(String[]::new));
        }

        TestProxy start() throws BindFailure {
            return start(SystemClock.INSTANCE);
        }

        /** With a clock that the test steps, for example. */
        TestProxy start(Clock clock) throws BindFailure {
            return new TestProxy(this, clock, FunctionCatalogue.builtin(), null);
        }

        /** With functions of the test's own in its routes. */
        TestProxy start(FunctionCatalogue functions) throws BindFailure {
            return new TestProxy(this, SystemClock.INSTANCE, functions, null);
        }

        /** With a disk tier. */
        TestProxy start(DiskFolders disk) throws BindFailure {
            return new TestProxy(this, SystemClock.INSTANCE, FunctionCatalogue.builtin(), disk);
        }
    }

    private TestProxy(Made made, Clock clock, FunctionCatalogue functions, @Nullable DiskFolders disk)
            throws BindFailure {
        config = new Live<>(made.config());
        cache = new Live<>(bind(CacheConfig.class, made.cache.toArray(String[]::new)));
        Live<KernelConfig> kernelConfig = new Live<>(bind(KernelConfig.class, made.kernel.toArray(String[]::new)));
        kernel = new Kernel(new KernelParts(kernelConfig, Map.of(), clock, stats, log));
        accessLog = made.data == null
                ? null
                : AccessLogs.open(
                        Map.of(AccessLogs.GLOBAL, made.config().accessLog()),
                        made.data,
                        clock,
                        stats,
                        log,
                        Runnable::run);
        proxy = new Proxy(new ProxyParts(
                kernel,
                config,
                new Live<>(Map.of("http", bind(ListenerConfig.class, made.listener.toArray(String[]::new)))),
                new Live<>(Map.<String, VirtualServerConfig>of()),
                cache,
                disk,
                functions,
                accessLog,
                Logins.NOBODY,
                ServerViews.EMPTY,
                "weir",
                clock,
                Chance.seeded(1),
                stats,
                log));
        listener = kernel.open("http", bind(ListenerConfig.class, made.listener.toArray(String[]::new)), proxy);
    }

    /** A section with these knobs. */
    static <T extends Record> T bind(Class<T> type, String... lines) {
        ConfigBinder binder = new ConfigBinder();
        T bound = binder.bind(TestConfig.of(lines), type);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return bound;
    }

    /** Waits until the disk tier takes and finds bodies; the first requests of a start are not answered from there. */
    void awaitDisk() throws InterruptedException {
        DiskTier disk = Objects.requireNonNull(proxy.cache().diskTier());
        Await.until("the disk tier is ready", disk::ready);
    }

    /** A reverse proxy of one origin for everything. */
    static TestProxy reverse(int originPort) throws BindFailure {
        return reversing(originPort).start();
    }

    /** The same with further knobs of the section {@code proxy}. */
    static Made reversing(int originPort, String... knobs) {
        String[] all = new String[knobs.length + 1];
        all[0] = "routes.0.origins.0=http://127.0.0.1:" + originPort;
        System.arraycopy(knobs, 0, all, 1, knobs.length);
        return Made.of(all);
    }

    static ConfigNode.Mapping mapping() {
        return ConfigNode.Mapping.empty(ConfigNode.Place.of("test"));
    }

    int port() {
        return listener.address().getPort();
    }

    /** The value of a counter or gauge now. */
    long value(StatSpec spec, String... labels) {
        return stats.value(spec, labels);
    }

    @Override
    public void close() {
        kernel.drain(Duration.ofMillis(200)).join();
        proxy.close();
        kernel.close();
        if (accessLog != null) {
            accessLog.close();
        }
        log.entries().stream()
                .filter(e -> e.message() == EngineMessages.EXCHANGE_FAILED)
                .forEach(e -> {
                    throw new AssertionError(
                            "an exchange failed", (Throwable) e.arguments().getLast());
                });
    }
}
