package io.weir.server.monitor;

import io.weir.server.monitor.MessagingBeans.Name;
import io.weir.server.monitor.OriginFigures.Server;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The servers of all pools as beans; they show what the latest refresh found. Shared: refreshed by the admin loop, read by
 * the threads of JMX.
 */
final class OriginBeans {
    private volatile Map<String, Server> latest = Map.of();

    /** Takes the figures over and says which beans there are now; a bounded number. */
    Map<Name, Supplier<ReadOnlyBean>> refresh(List<OriginFigures> pools) {
        Map<String, Server> servers = new LinkedHashMap<>();
        OriginFigures.rows(pools).forEach(s -> servers.put(s.pool() + " " + s.name(), s));
        latest = servers;
        Map<Name, Supplier<ReadOnlyBean>> beans = new LinkedHashMap<>();
        servers.keySet().forEach(n -> beans.put(new Name("OriginServerRuntime", n), () -> bean(n)));
        return beans;
    }

    private ReadOnlyBean bean(String name) {
        return new FigureBean<Server>("Origin server " + name, () -> latest.get(name))
                .text("Pool", "The pool that it is in.", Server::pool)
                .text("Name", "Its URL, with its address where that is one of several.", Server::name)
                .text("State", "up, warming, trial, down or leaving.", Server::state)
                .text("Reason", "Why it is or was down.", Server::reason)
                .count("StateSince", "Milliseconds since the epoch.", Server::since)
                .number("Weight", "Its share beside the others'.", Server::weight)
                .count("ActiveRequestsCount", "Requests on their way to it.", Server::active)
                .count("RequestsCount", "Requests that it was given.", Server::requests)
                .count("FailuresCount", "Requests that failed by its fault.", Server::failures)
                .count("BusyCount", "Times that it was passed over, for it was full.", Server::busy)
                .count("DownsCount", "Times that it was taken out.", Server::downs)
                .count("ChecksPassedCount", "Active checks that were answered well.", Server::checksPassed)
                .count("ChecksFailedCount", "Active checks that were not.", Server::checksFailed)
                .count("ResponseNanosMean", "Mean time to the head of an answer.", Server::meanNanos);
    }
}
