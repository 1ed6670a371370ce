package io.weir.server.assembly;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.tls.TlsFault;
import io.weir.proxy.Proxy;
import io.weir.proxy.ProxyParts;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.disk.DiskFolders;
import io.weir.proxy.program.run.ServerViews;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.InstanceName;
import io.weir.server.files.OwnTier;
import io.weir.server.start.ServerParts;
import io.weir.server.start.Share;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The proxy and its access logs, as the assembly opens and closes them. Lives as long as the server. */
public final class Engine implements AutoCloseable {
    private final AccessLogs accessLogs;
    private final Proxy proxy;
    private final OwnTier tier;

    private Engine(AccessLogs accessLogs, Proxy proxy, OwnTier tier) {
        this.accessLogs = accessLogs;
        this.proxy = proxy;
        this.tier = tier;
    }

    /**
     * Starts them.
     *
     * @throws IOException when the data directory's instance name cannot be read or written
     */
    public static Engine start(
            Kernel kernel,
            Live<WeirConfig> live,
            ServerParts parts,
            UserLogins logins,
            ServerViews views,
            Stats stats,
            Log log)
            throws IOException {
        Clock clock = parts.clock();
        OwnTier tier = new OwnTier(
                parts.dataDir(), parts.share().folder(), parts.share().run());
        String instance = InstanceName.openOrCreate(parts.dataDir());
        AccessLogs accessLogs = AccessLogs.open(
                logs(live.get()), parts.share().folder(), clock, stats, log, kernel.muxers()::afterCurrentTasks);
        // a log is opened before the program that refers to it, and closed after it
        live.part(Engine::logs).observe(accessLogs::configure);
        Proxy proxy = proxy(new ProxyParts(
                kernel,
                live.part(WeirConfig::proxy),
                live.part(WeirConfig::listeners),
                live.part(WeirConfig::virtualServers),
                live.part(WeirConfig::cache),
                disk(live.get().cache().disk(), parts.share(), tier, log),
                parts.loaded().functions(),
                accessLogs,
                logins.ofFunctions(),
                views,
                instance,
                clock,
                Chance.unseeded(),
                stats,
                log));
        live.part(WeirConfig::kernel).observe(proxy::kernelChanged);
        live.part(Engine::logs).observe(accessLogs::prune);
        return new Engine(accessLogs, proxy, tier);
    }

    /** Starts the kernel that it runs on. */
    public static Kernel kernel(Live<WeirConfig> live, ServerParts parts, Stats stats, Log log) {
        return new Kernel(
                new KernelParts(live.part(WeirConfig::kernel), live.get().workManagers(), parts.clock(), stats, log)
                        .with(live.part(WeirConfig::work))
                        .sharing(parts.share().tickets()));
    }

    /** Opens the disk tier's folders; with several processes each has its own. */
    private static @Nullable DiskFolders disk(DiskConfig config, Share share, OwnTier tier, Log log)
            throws IOException {
        List<DiskFolders.Wanted> wanted = new ArrayList<>();
        config.named().forEach((name, partition) -> {
            Path whole = share.folder().resolve(partition.path());
            Path own = partition.folder(share.folder(), share.process(), share.processes());
            long bytes = partition.size().bytes() / share.processes();
            wanted.add(new DiskFolders.Wanted(name, config.key(name), own, own.equals(whole) ? null : whole, bytes));
        });
        return wanted.isEmpty() ? null : DiskFolders.open(wanted, share.beside(), tier, new SecureRandom(), log);
    }

    /** Opens the proxy; certificate files can have changed since the check of the configuration. */
    private static Proxy proxy(ProxyParts parts) throws IOException {
        try {
            return new Proxy(parts);
        } catch (IllegalArgumentException e) {
            if (e.getCause() instanceof TlsFault) {
                throw new IOException(e.getMessage(), e);
            }
            throw e;
        }
    }

    /** Clients are about to be served. */
    public void serves() throws IOException {
        tier.serves();
    }

    private static Map<String, AccessLogConfig> logs(WeirConfig config) {
        Map<String, AccessLogConfig> logs = new LinkedHashMap<>();
        logs.put(AccessLogs.GLOBAL, config.proxy().accessLog());
        logs.putAll(config.proxy().accessLogs());
        return logs;
    }

    public AccessLogs accessLogs() {
        return accessLogs;
    }

    public Proxy proxy() {
        return proxy;
    }

    @Override
    public void close() {
        proxy.close();
        accessLogs.close();
    }
}
