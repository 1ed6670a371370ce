package io.weir.proxy.program.config;

import io.weir.base.Knob;
import io.weir.kernel.listen.TrafficLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A virtual server: {@code virtual-servers.<name>}. The one called {@code default} always exists. Immutable. */
public record VirtualServerConfig(
        @Knob(
                doc = "Host names (name or *.name, no port) that select it, on its listeners. Empty: all that no other"
                        + " virtual server of the listener names.",
                dynamic = true,
                watch = "weir_http_requests_total",
                knownAs = "VS hosts")
        List<String> hosts,

        @Knob(
                doc = "Listeners on which it answers; empty: all.",
                dynamic = true,
                watch = "weir_http_requests_total",
                knownAs = "VS interfaces")
        List<String> listeners,

        @Knob(
                doc = "Work manager of its requests whose route names none; without one, default.",
                dynamic = true,
                watch = "weir_work_refused_total")
        @Nullable
        String workManager,

        @Knob(
                doc = "Request class of its requests whose route names none; without one, that of the work manager.",
                dynamic = true,
                watch = "weir_request_class_waiting")
        @Nullable
        String requestClass,

        @Knob(doc = "Bounds on its traffic.", dynamic = true)
        TrafficLimits limits) {
    /** Without work manager, class and limits. */
    public VirtualServerConfig(List<String> hosts, List<String> listeners) {
        this(hosts, listeners, null, null, TrafficLimits.NONE);
    }
}
