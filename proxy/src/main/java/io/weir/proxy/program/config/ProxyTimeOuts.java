package io.weir.proxy.program.config;

import io.weir.base.Knob;
import java.time.Duration;

/** How long the proxy waits for origins. Immutable. */
public record ProxyTimeOuts(
        @Knob(
                doc = "To resolve a name. A short time-out fails fast when a resolver hangs."
                        + " Rule of thumb: the default, which is one retry of a usual resolver.",
                value = "5s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "dns timeout")
        Duration dns,

        @Knob(
                doc = "To establish a connection to one address, and as long again for the SETTINGS of an HTTP/2"
                        + " origin. Anything above 3 s survives two lost SYNs."
                        + " Rule of thumb: 1s for origins in the same room, the default for others.",
                value = "5s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "http-client-config connect-timeout")
        Duration connect,

        @Knob(
                doc = "To finish the TLS handshake with an origin. Raise it when a distant or busy"
                        + " origin fails while it works for others; lower it to try another server sooner."
                        + " Each waiting request holds a connection. Rule of thumb: some round trips, and"
                        + " less than the client's patience.",
                value = "10s",
                min = "100ms",
                max = "5m",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total")
        Duration tlsHandshake,

        @Knob(
                doc = "From the request's last byte to the end of the answer's head. Raise it for slow applications;"
                        + " every waiting request holds a connection. It also bounds how long an origin may take"
                        + " to read 64 KiB of the request's body."
                        + " Rule of thumb: twice the slowest regular answer.",
                value = "60s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "http-client-config timeout")
        Duration responseHeader,

        @Knob(
                doc = "Between two pieces of an answer's body. Time during which the client does not read is not"
                        + " counted."
                        + " Raise it for origins that pause within an answer; a silent origin holds a connection"
                        + " for so long. Rule of thumb: the default.",
                value = "60s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_origin_failures_total",
                knownAs = "http-client-config timeout")
        Duration bodyIdle,

        @Knob(
                doc = "Without a byte in either direction through a CONNECT tunnel or an upgraded"
                        + " connection. Raise it when WebSockets or tunnels with occasional traffic are"
                        + " closed; lower it when abandoned ones use up limits.tunnels. Each tunnel costs"
                        + " two connections. Rule of thumb: twice the interval of the application's own"
                        + " pings.",
                value = "300s",
                min = "1s",
                max = "1d",
                dynamic = true,
                watch = "weir_proxy_tunnel_timeouts_total",
                knownAs = "init-proxy timeout")
        Duration tunnelIdle,

        @Knob(
                doc = "For a function of a route to decide, including its wait for a thread. The client then gets a"
                        + " 504; the function occupies its thread until it returns."
                        + " Rule of thumb: twice the slowest regular decision.",
                value = "30s",
                min = "100ms",
                max = "1h",
                dynamic = true,
                watch = "weir_proxy_faults_total")
        Duration function,

        @Knob(
                doc = "How long a fetch for the cache continues after the last client that read it"
                        + " disconnected. Raise it when clients that cancel and retry make the origin send"
                        + " the same object again; lower it when nobody reads what is fetched so. It costs"
                        + " the origin's connection and bandwidth. Rule of thumb: the time of a usual"
                        + " fetch; 0 ends it at once.",
                value = "15s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = {"weir_cache_fills_abandoned_total", "weir_http_client_aborts_total"},
                knownAs = "init-proxy timeout-2")
        Duration afterClientAbort) {}
