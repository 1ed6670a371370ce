package io.weir.proxy.program;

import io.weir.base.Knob;
import java.util.List;

/** A virtual server: {@code virtual-servers.<name>}. One called {@code default} exists always. Immutable. */
public record VirtualServerConfig(
        @Knob(
                doc = "Host names (name or *.name, no port) that select it, on its listeners. Empty: all that no other"
                        + " virtual server of the listener has.",
                watch = "weir_http_requests_total",
                seed = "VS hosts")
        List<String> hosts,

        @Knob(
                doc = "Listeners on which it answers; empty: all.",
                watch = "weir_http_requests_total",
                seed = "VS interfaces")
        List<String> listeners) {}
