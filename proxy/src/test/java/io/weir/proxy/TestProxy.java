package io.weir.proxy;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.BindFailure;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelConfig;
import io.weir.kernel.KernelParts;
import io.weir.kernel.Listener;
import io.weir.kernel.ListenerConfig;
import io.weir.proxy.cache.CacheConfig;
import io.weir.proxy.program.ProxyConfig;
import io.weir.proxy.program.VirtualServerConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A proxy on a kernel of its own, on a free port. Owned by one test. */
final class TestProxy implements AutoCloseable {
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final Kernel kernel;
    final Proxy proxy;
    final Listener listener;
    final Live<ProxyConfig> config;

    /** A proxy with the given {@code proxy} section as nested mappings. */
    TestProxy(ConfigNode.Mapping proxySection) throws BindFailure {
        this(proxySection, mapping());
    }

    TestProxy(ConfigNode.Mapping proxySection, ConfigNode.Mapping kernelSection) throws BindFailure {
        ConfigBinder binder = new ConfigBinder();
        config = new Live<>(binder.bind(proxySection, ProxyConfig.class));
        Live<KernelConfig> kernelConfig =
                new Live<>(binder.bind(kernelSection.with("socket-readers", text("1")), KernelConfig.class));
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        kernel = new Kernel(new KernelParts(kernelConfig, Map.of(), SystemClock.INSTANCE, stats, log));
        proxy = new Proxy(new ProxyParts(
                kernel,
                config,
                new Live<>(Map.<String, VirtualServerConfig>of()),
                new Live<>(ConfigBinder.defaults(CacheConfig.class)),
                null,
                SystemClock.INSTANCE,
                Chance.seeded(1),
                stats,
                log));
        ConfigNode.Mapping any = mapping().with("port", text("0"));
        listener = kernel.open("http", new ConfigBinder().bind(any, ListenerConfig.class), proxy);
    }

    /** A reverse proxy of one origin for everything. */
    static TestProxy reverse(int originPort) throws BindFailure {
        ConfigNode.Mapping route = mapping()
                .with("origins", new ConfigNode.Sequence(place(), List.of(text("http://127.0.0.1:" + originPort))));
        return new TestProxy(mapping().with("routes", new ConfigNode.Sequence(place(), List.of(route))));
    }

    static ConfigNode.Mapping mapping() {
        return ConfigNode.Mapping.empty(place());
    }

    static ConfigNode.Scalar text(String value) {
        return new ConfigNode.Scalar(place(), value);
    }

    private static ConfigNode.Place place() {
        return ConfigNode.Place.of("test");
    }

    int port() {
        return listener.address().getPort();
    }

    @Override
    public void close() {
        kernel.drain(Duration.ofMillis(200)).join();
        proxy.close();
        kernel.close();
        log.entries().stream()
                .filter(e -> e.message() == EngineMessages.EXCHANGE_FAILED)
                .forEach(e -> {
                    throw new AssertionError(
                            "an exchange failed", (Throwable) e.arguments().getLast());
                });
    }
}
