package io.weir.server.monitor.jmx;

import io.weir.server.figures.origins.OriginDeclarations;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.origins.OriginFigures.Server;
import io.weir.server.monitor.jmx.MessagingBeans.Name;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.ReadOnlyBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The servers of all pools as beans; they show the latest refresh. Shared: refreshed by the admin loop, read by the
 * threads of JMX.
 */
public final class OriginBeans {
    private volatile Map<String, Server> latest = Map.of();

    /** Updates the figures and returns the current beans; a bounded number. */
    public Map<Name, Supplier<ReadOnlyBean>> refresh(List<OriginFigures> pools) {
        Map<String, Server> servers = new LinkedHashMap<>();
        OriginFigures.rows(pools).forEach(s -> servers.put(s.pool() + " " + s.name(), s));
        latest = servers;
        Map<Name, Supplier<ReadOnlyBean>> beans = new LinkedHashMap<>();
        servers.keySet().forEach(n -> beans.put(new Name("OriginServerRuntime", n), () -> bean(n)));
        return beans;
    }

    private ReadOnlyBean bean(String name) {
        return FigureViews.bean(OriginDeclarations.SERVER, "Origin server " + name, () -> latest.get(name));
    }
}
