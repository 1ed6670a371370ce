package io.weir.server.monitor.jmx;

import io.weir.server.figures.messaging.MessagingDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.messaging.MessagingFigures.Destination;
import io.weir.server.figures.messaging.MessagingFigures.Journal;
import io.weir.server.figures.messaging.MessagingFigures.Session;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.ReadOnlyBean;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messaging as beans with WebLogic's attribute names where Weir has the figure; they show the latest refresh. Shared:
 * refreshed by the admin loop, read by the threads of JMX.
 */
public final class MessagingBeans {
    /** The type and name under which a bean is registered. */
    public record Name(String type, String name) {}

    private volatile @Nullable MessagingFigures latest;
    private volatile Map<String, Destination> destinations = Map.of();
    private volatile Map<String, Session> sessions = Map.of();

    /** Updates the figures and returns the current beans; a bounded number. */
    public Map<Name, Supplier<ReadOnlyBean>> refresh(@Nullable MessagingFigures now) {
        latest = now;
        Map<Name, Supplier<ReadOnlyBean>> beans = new LinkedHashMap<>();
        Map<String, Destination> newDestinations = new LinkedHashMap<>();
        Map<String, Session> newSessions = new LinkedHashMap<>();
        if (now != null) {
            beans.put(new Name("JMSRuntime", "messaging"), this::totals);
            Journal journal = now.journal();
            if (journal != null) {
                beans.put(new Name("PersistentStoreRuntime", journal.name()), this::journal);
            }
            MessagingFigures.shown(now.destinations()).forEach(d -> newDestinations.put(d.name(), d));
            MessagingFigures.shown(now.sessions()).forEach(s -> newSessions.put(name(s), s));
            newDestinations
                    .keySet()
                    .forEach(n -> beans.put(new Name("JMSDestinationRuntime", n), () -> destination(n)));
            newSessions.keySet().forEach(n -> beans.put(new Name("JMSSessionRuntime", n), () -> session(n)));
        }
        destinations = newDestinations;
        sessions = newSessions;
        return beans;
    }

    private static String name(Session s) {
        return Long.toHexString(s.connection()) + "." + s.number();
    }

    private ReadOnlyBean totals() {
        return FigureViews.bean(MessagingDeclarations.TOTALS, "Messaging", () -> latest);
    }

    private ReadOnlyBean journal() {
        return FigureViews.bean(MessagingDeclarations.JOURNAL, "The journal of persistent messages", () -> {
            MessagingFigures m = latest;
            return m == null ? null : m.journal();
        });
    }

    private ReadOnlyBean destination(String name) {
        return FigureViews.bean(MessagingDeclarations.DESTINATION, "Destination " + name, () -> destinations.get(name));
    }

    private ReadOnlyBean session(String name) {
        return FigureViews.bean(MessagingDeclarations.SESSION, "Session " + name, () -> sessions.get(name));
    }
}
