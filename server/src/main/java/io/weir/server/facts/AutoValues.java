package io.weir.server.facts;

import io.weir.base.KnobWalk;
import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.broker.report.BrokerStats;
import io.weir.kernel.Kernel;
import io.weir.kernel.tls.TlsProviders;
import io.weir.kernel.work.WorkManager;
import io.weir.proxy.Proxy;
import io.weir.server.config.WeirConfig;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The effective values of knobs set to {@code auto}. Shared; reads what is in force, and never blocks. */
public final class AutoValues {
    private static final String AUTO = "auto";

    private final Kernel kernel;
    /** By the knob's declared key: a function from its actual key to the effective value. */
    private final Map<String, Function<String, String>> values;

    public AutoValues(Kernel kernel, Proxy proxy, Live<WeirConfig> live, Stats stats) {
        this.kernel = kernel;
        this.values = Map.ofEntries(
                Map.entry("kernel.muxer", _ -> kernel.choice().kind().spelling()),
                Map.entry(
                        "kernel.socket-readers",
                        _ -> number(kernel.muxers().all().size())),
                Map.entry("kernel.max-connections", _ -> number(kernel.maxConnections())),
                Map.entry("kernel.max-connections-per-address", _ -> number(kernel.maxConnectionsPerAddress())),
                Map.entry(
                        "kernel.request-throttle",
                        _ -> number(kernel.connectionQueue().throttle())),
                Map.entry("kernel.connection-queue.capacity", _ -> number(kernel.queueCapacity())),
                Map.entry(
                        "kernel.keep-alive.max-connections",
                        _ -> number(kernel.keepAlive().limit())),
                Map.entry("kernel.mode", _ -> word(kernel.connectionQueue().mode())),
                Map.entry("listeners.*.tls.provider", this::provider),
                Map.entry("work-managers.*.min-threads", key -> threads(key, WorkManager::minThreads)),
                Map.entry("work-managers.*.max-threads", key -> threads(key, WorkManager::maxThreads)),
                Map.entry(
                        "proxy.routes[].cache.query-maxlen",
                        _ -> number(live.get().cache().queryMaxlen())),
                Map.entry(
                        "proxy.routes[].cache.lm-factor",
                        _ -> String.valueOf(live.get().cache().lmFactor())),
                Map.entry(
                        "proxy.routes[].cache.term-percent",
                        _ -> number(live.get().cache().termPercent())),
                Map.entry(
                        "proxy.origins.*.max-waiting",
                        _ -> number(live.get().proxy().originPool().maxWaitingPerOrigin())),
                Map.entry(
                        "proxy.origin-pool.max-connections-per-origin",
                        _ -> number(proxy.origins().bounds().perOrigin())),
                Map.entry(
                        "proxy.origin-pool.max-connections-per-address",
                        _ -> number(proxy.origins().maxFetchesPerAddress())),
                Map.entry("proxy.origin-tls.provider", _ -> TlsProviders.standard()),
                Map.entry("proxy.via-pseudonym", _ -> proxy.pseudonym()),
                Map.entry("messaging.limits.messages-in-memory", _ -> number(stats.value(BrokerStats.MEMORY_LIMIT))),
                Map.entry(
                        "messaging.limits.bytes-in-memory", _ -> number(stats.value(BrokerStats.MEMORY_BYTES_LIMIT))));
    }

    /** The effective value; null if the knob is not set to auto, or there is no value. */
    @Nullable
    public String of(KnobWalk.Item item) {
        Function<String, String> value =
                item.text().equals(AUTO) ? values.get(item.spec().key()) : null;
        String found = value == null ? "" : value.apply(item.key());
        return found.isEmpty() ? null : found;
    }

    private static String number(long value) {
        return Long.toString(value);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private String provider(String key) {
        String name = key.substring("listeners.".length(), key.length() - ".tls.provider".length());
        return kernel.listeners().stream().anyMatch(l -> l.name().equals(name) && l.secure())
                ? TlsProviders.standard()
                : "";
    }

    private String threads(String key, ToIntFunction<WorkManager> what) {
        String name = key.substring("work-managers.".length(), key.lastIndexOf('.'));
        WorkManager found = kernel.workManagers().get(name);
        return found == null ? "" : number(what.applyAsInt(found));
    }
}
