package io.weir.server;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.proxy.Proxy;
import io.weir.proxy.ProxyParts;
import io.weir.proxy.accesslog.AccessLog;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.InstanceName;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The proxy and its access log, as the assembly opens and closes them. Lives as long as the server. */
final class Engine implements AutoCloseable {
    private final @Nullable AccessLog accessLog;
    private final Proxy proxy;

    private Engine(@Nullable AccessLog accessLog, Proxy proxy) {
        this.accessLog = accessLog;
        this.proxy = proxy;
    }

    /**
     * Starts them.
     *
     * @throws IOException when the data directory's instance name cannot be read or written
     */
    static Engine start(Kernel kernel, Live<WeirConfig> live, ServerParts parts, Stats stats, Log log)
            throws IOException {
        Clock clock = parts.clock();
        String instance = InstanceName.openOrCreate(parts.dataDir());
        AccessLog accessLog = AccessLog.open(live.part(c -> c.proxy().accessLog()), parts.dataDir(), clock, stats, log);
        Proxy proxy = new Proxy(new ProxyParts(
                kernel,
                live.part(WeirConfig::proxy),
                live.part(WeirConfig::virtualServers),
                live.part(WeirConfig::cache),
                parts.loaded().functions(),
                accessLog,
                instance,
                clock,
                Chance.unseeded(),
                stats,
                log));
        live.part(WeirConfig::kernel).observe(proxy::kernelChanged);
        return new Engine(accessLog, proxy);
    }

    Proxy proxy() {
        return proxy;
    }

    @Override
    public void close() {
        proxy.close();
        if (accessLog != null) {
            accessLog.close();
        }
    }
}
