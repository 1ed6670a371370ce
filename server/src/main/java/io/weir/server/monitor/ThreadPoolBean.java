package io.weir.server.monitor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.jspecify.annotations.Nullable;

/** A work manager with the attribute names of WebLogic's ThreadPoolRuntimeMBean, where Weir has the figure. Shared. */
final class ThreadPoolBean extends ReadOnlyBean {
    private record Figure(String doc, OpenType<?> type, Function<Facts.Pool, Object> value) {}

    private final MonitorSource source;
    private final String name;
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    /**
     * A bean for the pool of this name.
     *
     * @param throughput completed pieces of work a second, by the latest sample
     */
    ThreadPoolBean(MonitorSource source, String name, Function<String, Double> throughput) {
        super("Execute threads of the work manager " + name);
        this.source = source;
        this.name = name;
        count("CompletedRequestCount", "Pieces of work that ended.", Facts.Pool::completed);
        number("ExecuteThreadIdleCount", "Threads that wait for work.", Facts.Pool::idle);
        number("ExecuteThreadTotalCount", "Threads.", Facts.Pool::threads);
        number("HoggingThreadCount", "Threads busy for much longer than usual.", Facts.Pool::hogging);
        count("OverloadRejectedRequestsCount", "Pieces of work refused.", Facts.Pool::rejected);
        number("PendingUserRequestCount", "Pieces of work that wait for a thread.", Facts.Pool::queued);
        number("QueueLength", "Pieces of work that wait for a thread.", Facts.Pool::queued);
        number("SharedCapacityForWorkManagers", "Pieces of work that may wait.", Facts.Pool::queueLimit);
        number("StuckThreadCount", "Threads that are stuck.", Facts.Pool::stuck);
        figures.put(
                "Throughput", new Figure("Pieces of work a second.", SimpleType.DOUBLE, _ -> throughput.apply(name)));
        number("ExecuteThreadLimit", "Most threads.", Facts.Pool::maxThreads);
        number("ExecuteThreadPeakCount", "Most threads that ran at once.", Facts.Pool::peakThreads);
        number("QueueLengthPeak", "Most work that ever waited.", Facts.Pool::peakQueued);
    }

    private void number(String attribute, String doc, Function<Facts.Pool, Integer> value) {
        figures.put(attribute, new Figure(doc, SimpleType.INTEGER, value::apply));
    }

    private void count(String attribute, String doc, Function<Facts.Pool, Long> value) {
        figures.put(attribute, new Figure(doc, SimpleType.LONG, value::apply));
    }

    @Override
    List<OpenMBeanAttributeInfoSupport> attributes() {
        List<OpenMBeanAttributeInfoSupport> all = new ArrayList<>();
        figures.forEach((attribute, figure) ->
                all.add(new OpenMBeanAttributeInfoSupport(attribute, figure.doc(), figure.type(), true, false, false)));
        return all;
    }

    @Override
    @Nullable
    Object value(String attribute) {
        Figure figure = figures.get(attribute);
        if (figure == null) {
            return null;
        }
        return source.pools().stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .map(figure.value())
                .orElse(null);
    }
}
