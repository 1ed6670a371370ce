package io.weir.proxy.program.config;

import io.weir.base.Knob;
import java.util.List;

/** {@code routes[].connect}: tunnels. Immutable. */
public record ConnectRoute(
        @Knob(doc = "Answers CONNECT with a tunnel.", value = "off", dynamic = true, watch = "weir_proxy_tunnels_total")
        boolean enabled,

        @Knob(
                doc = "Ports (443, 8000-8999) that tunnels may reach.",
                value = "443",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total",
                knownAs = "proxy-retrieve CONNECT")
        List<String> ports) {}
