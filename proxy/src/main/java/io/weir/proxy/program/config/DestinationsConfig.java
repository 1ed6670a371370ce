package io.weir.proxy.program.config;

import io.weir.base.Knob;
import java.util.List;

/**
 * Which clients may use the forward proxy and CONNECT, and what they may reach. Rules on destinations are applied to
 * resolved addresses. Origins of reverse routes are configured and are not subject to them. Immutable.
 */
public record DestinationsConfig(
        @Knob(
                doc = "Networks of clients that may use the forward proxy and CONNECT. All others get 403: an open"
                        + " proxy is found and abused within hours.",
                value = "127.0.0.0/8,::1/128",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total")
        List<String> clients,

        @Knob(
                doc = "Networks that may be reached although they are private, loopback or link-local.",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total")
        List<String> allow,

        @Knob(
                doc = "Networks that may not be reached; overrides everything that is allowed.",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total")
        List<String> deny,

        @Knob(
                doc = "Hosts (name or *.name) that may be reached; if set, no others may. Their addresses are checked"
                        + " as well.",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total")
        List<String> allowHosts,

        @Knob(
                doc = "Hosts (name or *.name) that may not be reached.",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total",
                knownAs = "url-filter deny")
        List<String> denyHosts,

        @Knob(
                doc = "Clients on this machine may reach this machine: they could do so without the proxy. Turn it off"
                        + " when another proxy on this machine forwards requests of remote clients.",
                value = "on",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total")
        boolean loopbackForLoopback,

        @Knob(
                doc = "Ports (80, 8000-8999) that plain forwarding may reach; empty: 80, 443 and all from 1024 on, so"
                        + " that mail servers and other line protocols cannot be reached.",
                dynamic = true,
                watch = "weir_proxy_destinations_refused_total")
        List<String> ports) {}
