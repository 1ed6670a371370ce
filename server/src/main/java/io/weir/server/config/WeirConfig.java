package io.weir.server.config;

import io.weir.base.ConfigBinder;
import io.weir.base.Knob;
import io.weir.broker.config.MessagingConfig;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.SingletonConfig;
import io.weir.cluster.config.TimerConfig;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.work.ConstraintsConfig;
import io.weir.kernel.work.RequestClassConfig;
import io.weir.kernel.work.WorkConfig;
import io.weir.kernel.work.WorkManagerConfig;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.server.admin.AdminConfig;
import io.weir.server.history.HistoryConfig;
import java.util.Map;

/** The whole configuration: the root of {@code weir.yaml}. Immutable; swapped whole by a live change. */
public record WeirConfig(
        @Knob(doc = "The process: names, data directory, log.")
        ServerConfig server,

        @Knob(doc = "How connections are read, queued, kept and limited.")
        KernelConfig kernel,

        @Knob(
                doc = "Where connections are accepted, by name. They can be added, removed and changed live"
                        + " (docs/live-change.md).",
                dynamic = true)
        Map<String, ListenerConfig> listeners,

        @Knob(
                doc = "Thread pools for work that may block, by name; default always exists. They can be added, removed"
                        + " and changed live.",
                dynamic = true)
        Map<String, WorkManagerConfig> workManagers,

        @Knob(
                doc = "The order in which waiting work and requests are started, by name; routes and work managers"
                        + " refer to them.",
                dynamic = true)
        Map<String, RequestClassConfig> requestClasses,

        @Knob(doc = "Bounds that work managers refer to; those that name the same one share it.")
        ConstraintsConfig constraints,

        @Knob(
                doc = "Virtual servers by name; default always exists. They can be added and removed live.",
                dynamic = true)
        Map<String, VirtualServerConfig> virtualServers,

        @Knob(doc = "What the proxy answers, for which clients and from which origins.")
        ProxyConfig proxy,

        @Knob(doc = "The memory cache.") CacheConfig cache,

        @Knob(
                doc = "Destinations, connection factories and limits of messaging. The broker runs when a listener has"
                        + " the protocol weir.")
        MessagingConfig messaging,

        @Knob(doc = "The cluster that this server is a member of; without members, the server is a cluster of one.")
        ClusterConfig cluster,

        @Knob(doc = "Singleton services by name: objects of which one in the cluster is active.")
        Map<String, SingletonConfig> singletons,

        @Knob(doc = "Timers by name: schedules of which each firing happens once in the cluster.")
        Map<String, TimerConfig> timers,

        @Knob(doc = "How long past statistics are kept.") HistoryConfig history,

        @Knob(doc = "The admin listener.") AdminConfig admin) {
    /** The same for a process that has no messaging and is no member of a cluster. */
    public WeirConfig withoutServices() {
        return new WeirConfig(
                server,
                kernel,
                listeners,
                workManagers,
                requestClasses,
                constraints,
                virtualServers,
                proxy,
                cache,
                messaging,
                ConfigBinder.defaults(ClusterConfig.class),
                Map.of(),
                Map.of(),
                history,
                admin);
    }

    /** The parts of the configuration for work managers. */
    public WorkConfig work() {
        return new WorkConfig(requestClasses, constraints, workManagers);
    }
}
