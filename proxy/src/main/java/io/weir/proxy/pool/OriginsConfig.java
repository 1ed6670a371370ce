package io.weir.proxy.pool;

import io.weir.base.ConfigBinder;
import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code proxy.origins.<name>}: servers of the same content that routes name by {@code pool}. Immutable. */
public record OriginsConfig(
        @Knob(
                doc = "The servers. A live change replaces the list; a removed server finishes its requests.",
                dynamic = true)
        List<PoolServerConfig> servers,

        @Knob(
                doc = "How a server is chosen. round-robin: in turn, by weight; least-outstanding: the one with the"
                        + " fewest outstanding requests, for requests of very different length; hash: by hash-on, so"
                        + " that each server's cache gets the same requests again.",
                value = "round-robin",
                dynamic = true,
                watch = "weir_origin_requests_total")
        Balance balance,

        @Knob(
                doc = "Part of the request that is hashed.",
                value = "url",
                dynamic = true,
                watch = "weir_origin_requests_total")
        HashOn hashOn,

        @Knob(
                doc = "The field or cookie that is hashed. Requests without it are taken in turn.",
                dynamic = true,
                unwatched = Unwatched.NAME)
        @Nullable
        String hashName,

        @Knob(doc = "How sessions stay with their server.", dynamic = true)
        StickyConfig sticky,

        @Knob(doc = "Passive checks: when failed requests take a server out.", dynamic = true)
        HealthConfig health,

        @Knob(doc = "Active checks.", dynamic = true) CheckConfig check,

        @Knob(
                doc = "Time over which the share of a server that came back, or was added to others, rises from a"
                        + " tenth to the whole. 0: at once."
                        + " Set it for servers that are slow until they are warm: just-in-time compilers, cold"
                        + " caches. Rule of thumb: the time in which one gets warm.",
                value = "0s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_origin_state")
        Duration slowStart,

        @Knob(
                doc = "Connections to one server, divided evenly among the muxers, at least one for"
                        + " each; 0: as proxy.origin-pool.max-connections-per-origin. Lower it to protect"
                        + " a server; raise it when requests wait while the server is idle. Each costs a"
                        + " descriptor here and a connection there. Rule of thumb: the requests that the"
                        + " server handles at once.",
                value = "0",
                unit = "connections",
                min = "0",
                max = "65536",
                dynamic = true,
                watch = {"weir_proxy_origin_waiting", "weir_proxy_origin_refused_total"},
                knownAs = "MaxConnectionsPerServer")
        int maxConnections,

        @Knob(
                doc = "Requests of one muxer that may wait for a connection to one server; auto: as"
                        + " proxy.origin-pool.max-waiting-per-origin. Requests beyond that are tried at"
                        + " another server."
                        + " Lower it so that a slow server's requests move to others sooner. Rule of thumb: auto.",
                value = "auto",
                auto = true,
                unit = "requests",
                min = "0",
                max = "65536",
                dynamic = true,
                watch = {"weir_proxy_origin_waiting", "weir_proxy_origin_refused_total"})
        int maxWaiting,

        @Knob(
                doc = "Outstanding requests to one server over all muxers, including those that wait; at the bound"
                        + " other servers are chosen, and when all are full the answer is 503 with Retry-After. 0: no"
                        + " bound."
                        + " Set it when a server gets slower with more requests at once. Rule of thumb: its"
                        + " worker threads.",
                value = "0",
                unit = "requests",
                min = "0",
                max = "1000000",
                dynamic = true,
                watch = {"weir_origin_active", "weir_origin_busy_total"})
        int maxOutstanding,

        @Knob(
                doc = "What happens to requests while no server is up: try sends them to one that is down, refuse"
                        + " answers 503.",
                value = "try",
                dynamic = true,
                watch = "weir_origin_refused_total")
        WhenAllDown whenAllDown,

        @Knob(
                doc = "Maximum number of servers that one request is tried at. Raise it when requests"
                        + " fail although other servers of the pool are up; lower it when an outage makes"
                        + " requests slow, because each try may take a whole time-out. retry-budget bounds"
                        + " the load that tries add. Rule of thumb: 2 or 3.",
                value = "3",
                unit = "servers",
                min = "1",
                max = "100",
                dynamic = true,
                watch = "weir_origin_retries_total")
        int tries,

        @Knob(
                doc = "Retries that are allowed, as a percentage of all requests. Bounds what an outage adds to the"
                        + " load."
                        + " Rule of thumb: 10 to 20.",
                value = "20",
                unit = "percent",
                min = "0",
                max = "100",
                dynamic = true,
                watch = {"weir_origin_retries_total", "weir_origin_retries_refused_total"})
        int retryBudget,

        @Knob(
                doc = "Retries of one muxer that are allowed before the budget applies, so that"
                        + " requests can be retried at low load. Raise it when requests fail at low load"
                        + " although another server is up; lower it when retries burden the servers that"
                        + " remain. Rule of thumb: the default.",
                value = "10",
                unit = "retries",
                min = "0",
                max = "100000",
                dynamic = true,
                watch = {"weir_origin_retries_total", "weir_origin_retries_refused_total"})
        int retryReserve,

        @Knob(
                doc = "How long an HTTP/1 connection must be silent after an answer before it is reused, so that a"
                        + " surplus answer is detected before it is delivered to another client. For servers"
                        + " that may frame messages differently than Weir; costs connections. 0: reused at once."
                        + " Rule of thumb: 0.",
                value = "0s",
                min = "0s",
                max = "10s",
                dynamic = true,
                watch = {"weir_proxy_origin_surplus_total", "weir_proxy_origin_retired_total"})
        Duration quiet,

        @Knob(
                doc = "Whether servers without TLS speak HTTP/2 from the first byte (prior knowledge): requests"
                        + " share few connections. With TLS, proxy.origin-tls.alpn says what is offered.",
                value = "off",
                dynamic = true,
                watch = "weir_http2_origin_connections_total")
        boolean http2,

        @Knob(
                doc = "Whether every address of a server's name is a server; the name is resolved again when its time"
                        + " to live is over, and while the name servers fail the old addresses stay. Off: the"
                        + " name is resolved for each connection.",
                value = "on",
                dynamic = true,
                watch = "weir_origin_resolutions_total")
        boolean resolve) {

    /** Every knob at its default: for routes that list their origins themselves. */
    public static final OriginsConfig DEFAULT = ConfigBinder.defaults(OriginsConfig.class);
}
