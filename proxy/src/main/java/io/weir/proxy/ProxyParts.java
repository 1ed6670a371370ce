package io.weir.proxy;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.proxy.accesslog.AccessLogs;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.disk.DiskFolders;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Logins;
import io.weir.proxy.program.run.ServerViews;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The components of a proxy. Immutable.
 *
 * @param kernel the muxers, queue and limits that it runs on
 * @param config the section {@code proxy}
 * @param listeners the section {@code listeners}
 * @param virtualServers the section {@code virtual-servers}
 * @param cache the section {@code cache}
 * @param disk the folders of the disk tier, which the proxy closes; null: there is none
 * @param functions that routes may name
 * @param accessLogs where exchanges are recorded, null for nowhere
 * @param logins the realm of routes with authentication
 * @param views of the server's state, for functions that answer with them
 * @param instance a unique name, for Via if {@code via-pseudonym} does not set one
 */
public record ProxyParts(
        Kernel kernel,
        Live<ProxyConfig> config,
        Live<Map<String, ListenerConfig>> listeners,
        Live<Map<String, VirtualServerConfig>> virtualServers,
        Live<CacheConfig> cache,
        @Nullable DiskFolders disk,
        FunctionCatalogue functions,
        @Nullable AccessLogs accessLogs,
        Logins logins,
        ServerViews views,
        String instance,
        Clock clock,
        Chance chance,
        Stats stats,
        Log log) {}
