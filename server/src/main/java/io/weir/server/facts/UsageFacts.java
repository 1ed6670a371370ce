package io.weir.server.facts;

import io.weir.base.Live;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.TrafficLimits;
import io.weir.proxy.Proxy;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.qos.ClientLimits;
import io.weir.proxy.qos.Qos;
import io.weir.proxy.qos.UsageFigures;
import io.weir.server.config.WeirConfig;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.source.TrafficFigures.Figure;
import java.util.ArrayList;
import java.util.List;

/** The usage of traffic limits. Immutable. */
record UsageFacts(Proxy proxy, Live<WeirConfig> live) {
    /** The usage of listeners, virtual servers and the busiest clients, with their limits. */
    List<TrafficFigures> figures(int clients) {
        List<TrafficFigures> all = new ArrayList<>();
        WeirConfig c = live.get();
        Qos qos = proxy.qos();
        qos.ofListeners().forEach((name, use) -> {
            ListenerConfig l = c.listeners().get(name);
            all.add(figures("listener", use, l == null ? TrafficLimits.NONE : l.limits()));
        });
        qos.ofServers().forEach((name, use) -> {
            VirtualServerConfig v = c.virtualServers().get(name);
            all.add(figures("virtual-server", use, v == null ? TrafficLimits.NONE : v.limits()));
        });
        ClientLimits each = c.proxy().clientLimits();
        TrafficLimits ofClient = new TrafficLimits(
                each.bandwidth(), Math.max(0, c.kernel().maxConnectionsPerAddress()), each.requests());
        qos.busiestClients(clients).forEach(use -> all.add(figures("client", use, ofClient)));
        return all;
    }

    private static TrafficFigures figures(String scope, UsageFigures use, TrafficLimits limits) {
        return new TrafficFigures(
                scope,
                use.name(),
                new Figure(use.connections(), use.mostConnections(), limits.connections()),
                new Figure(
                        use.requestRate(), use.mostRequests(), limits.requests().requestRate()),
                new Figure(use.byteRate(), use.mostBytes(), limits.bandwidth().bytes()),
                use.requests(),
                use.bytes());
    }
}
