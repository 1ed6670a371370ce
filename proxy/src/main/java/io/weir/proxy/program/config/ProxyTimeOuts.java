package io.weir.proxy.program.config;

import io.weir.base.Knob;
import java.time.Duration;

/** How long the proxy waits for origins. Immutable. */
public record ProxyTimeOuts(
        @Knob(
                doc = "To resolve a name. Short ones fail fast when a resolver hangs.",
                value = "5s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "dns timeout")
        Duration dns,

        @Knob(
                doc = "To establish a connection to one address; as long again for the SETTINGS of an HTTP/2 origin."
                        + " Longer than two lost SYNs (3 s) is patient enough.",
                value = "5s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "http-client-config connect-timeout")
        Duration connect,

        @Knob(
                doc = "To finish the TLS handshake with an origin.",
                value = "10s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total")
        Duration tlsHandshake,

        @Knob(
                doc =
                        "From the request's last byte to the end of the answer's head. Raise it for slow applications;"
                                + " every waiting request holds a connection. While its body is sent: how long an origin may take to take 64 KiB of it.",
                value = "60s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "http-client-config timeout")
        Duration responseHeader,

        @Knob(
                doc =
                        "Between two pieces of an answer's body. Time during which the client does not read does not count.",
                value = "60s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "http-client-config timeout")
        Duration bodyIdle,

        @Knob(
                doc = "Without a byte in either direction through a CONNECT tunnel or an upgraded connection.",
                value = "300s",
                min = "1s",
                max = "1d",
                dynamic = true,
                watch = "weir_proxy_tunnel_timeouts_total",
                knownAs = "init-proxy timeout")
        Duration tunnelIdle,

        @Knob(
                doc =
                        "For a function of a route to decide, its wait for a thread included. The client then gets a 504; the"
                                + " thread that the function holds stays held until the function returns.",
                value = "30s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_faults_total")
        Duration function,

        @Knob(
                doc = "How long a fetch for the cache goes on after the last client that read it went away.",
                value = "15s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = {"weir_cache_fills_abandoned_total", "weir_http_client_aborts_total"},
                knownAs = "init-proxy timeout-2")
        Duration afterClientAbort) {}
