package io.weir.proxy;

import io.weir.base.Stats;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.listen.TrafficLimits;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.qos.Qos;
import java.util.HashMap;
import java.util.Map;

/** Keeps the limits on traffic as three sections of the configuration have them. Shared; lives as long as its proxy. */
final class TrafficRules {
    private final ProxyParts parts;
    private final Qos qos;

    private TrafficRules(ProxyParts parts, Qos qos) {
        this.parts = parts;
        this.qos = qos;
    }

    /** Applies the limits, now and at each change of a section. */
    static void follow(ProxyParts parts, Qos qos) {
        TrafficRules rules = new TrafficRules(parts, qos);
        parts.config().observe(_ -> rules.apply());
        parts.listeners().observe(_ -> rules.apply());
        parts.virtualServers().observe(_ -> rules.apply());
    }

    private void apply() {
        Stats stats = parts.stats();
        Map<String, TrafficLimits> listeners = new HashMap<>();
        parts.listeners().get().forEach((name, l) -> {
            listeners.put(name, l.limits());
            if (l.protocol() == ListenerProtocol.HTTP) {
                stats.counter(Http2Stats.CONNECTIONS, name);
            }
        });
        Map<String, TrafficLimits> servers = new HashMap<>();
        parts.virtualServers().get().forEach((name, v) -> servers.put(name, v.limits()));
        ProxyConfig config = parts.config().get();
        qos.limit(listeners, servers, config.clientLimits(), config.trafficFigures());
    }
}
