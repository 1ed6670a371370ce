package io.weir.proxy.context;

import io.weir.base.StatSpec;
import java.util.List;

/** The engine's statistics: requests, answers, bytes, refusals, origins, tunnels. Immutable declarations. */
public final class EngineStats {
    public static final StatSpec REQUESTS = StatSpec.counter(
            "weir_http_requests_total", "requests", "Requests with a complete head.", "virtual_server");
    public static final StatSpec RESPONSES = StatSpec.counter(
            "weir_http_responses_total",
            "answers",
            "Final answers by status; rare statuses are counted by their class.",
            "virtual_server",
            "status");
    public static final StatSpec BYTES_RECEIVED = StatSpec.counter(
            "weir_http_received_bytes_total", "bytes", "Bytes of requests, heads and bodies.", "virtual_server");
    public static final StatSpec BYTES_SENT = StatSpec.counter(
            "weir_http_sent_bytes_total", "bytes", "Bytes of answers, heads and bodies.", "virtual_server");
    public static final StatSpec DURATION = StatSpec.histogram(
            "weir_http_request_duration_seconds",
            "nanoseconds",
            "From a request's complete head to its answer's last byte handed to the socket. Watch the tail when tuning"
                    + " threads, queue and origins.",
            "virtual_server");
    public static final StatSpec FAULTS = StatSpec.counter(
            "weir_http_faults_total",
            "messages",
            "Messages refused because they violate HTTP, by side and reason. A rise means attacks or a broken"
                    + " client or origin.",
            "side",
            "reason");
    public static final StatSpec HEADER_TIMEOUTS = StatSpec.counter(
            "weir_header_timeouts_total",
            "requests",
            "Clients that did not finish a request's head in time. Watch it when lowering kernel.time-outs.header.");
    public static final StatSpec BODY_TIMEOUTS = StatSpec.counter(
            "weir_body_timeouts_total", "requests", "Clients that stopped sending within a request's body.");
    public static final StatSpec BODY_RATE_TIMEOUTS = StatSpec.counter(
            "weir_body_rate_timeouts_total",
            "requests",
            "Clients that sent a request's body slower than kernel.time-outs.body-rate.");
    public static final StatSpec READ_STOPS = StatSpec.counter(
            "weir_http_read_stops_total",
            "stops",
            "Times that reading from a client paused while it was being answered, by the bound that was reached:"
                    + " pipelining-depth or read-ahead. Many with few requests a connection: raise the bound.",
            "bound");
    public static final StatSpec UNREAD_RESTS = StatSpec.counter(
            "weir_http_unread_rests_total",
            "requests",
            "Requests answered before their body was read, by what happened to the rest: read, or the connection closed"
                    + " (HTTP/2: the stream reset) because more than proxy.drain-after-error remained.",
            "outcome");
    public static final StatSpec TRAILERS_DROPPED = StatSpec.counter(
            "weir_http_trailers_dropped_total",
            "fields",
            "Trailer fields that were not forwarded: unlisted, not in proxy.trailers, or unasked, because"
                    + " the client did not send TE: trailers.",
            "reason");
    public static final StatSpec CLIENT_ABORTS = StatSpec.counter(
            "weir_http_client_aborts_total",
            "requests",
            "Requests whose client disconnected before the answer was complete. A client of HTTP/1 without TLS that closed"
                    + " its side may still read: it counts only if a reset shows that it is gone, so a short answer to"
                    + " it counts as complete (docs/kernel.md, clients that leave).");
    public static final StatSpec CLIENT_ERRORS = StatSpec.counter(
            "weir_http_client_errors_total", "connections", "Client connections that failed with an I/O error.");
    public static final StatSpec UNEXPECTED = StatSpec.counter(
            "weir_http_unexpected_total",
            "exchanges",
            "Exchanges that ended by an internal error of Weir; each is logged. Anything but 0 is a bug to report.");
    public static final StatSpec FETCHES =
            StatSpec.counter("weir_proxy_fetches_total", "requests", "Requests sent to origins, retries not counted.");
    public static final StatSpec RETRIES = StatSpec.counter(
            "weir_proxy_retries_total",
            "requests",
            "Requests sent again after a dead reused connection, or to the next origin after a failure to connect.");
    public static final StatSpec ORIGIN_TLS_HANDSHAKES = StatSpec.counter(
            "weir_proxy_origin_tls_handshakes_total", "handshakes", "Completed TLS handshakes with origins.");
    public static final StatSpec ORIGIN_TLS_RESUMED = StatSpec.counter(
            "weir_proxy_origin_tls_resumed_total", "handshakes", "Of these, those that resumed a session.");
    public static final StatSpec ORIGIN_TLS_CIPHERS = StatSpec.counter(
            "weir_proxy_origin_tls_ciphers_total",
            "handshakes",
            "Completed TLS handshakes with origins by protocol and cipher suite.",
            "protocol",
            "cipher");
    public static final StatSpec ORIGIN_TLS_FAILURES = StatSpec.counter(
            "weir_proxy_origin_tls_failures_total",
            "handshakes",
            "Failed TLS handshakes with origins by cause; the proxy is the client here, the origin the peer.",
            "cause");
    public static final StatSpec ORIGIN_FAILURES = StatSpec.counter(
            "weir_proxy_origin_failures_total", "requests", "Fetches that failed, by reason.", "reason");
    public static final StatSpec ORIGIN_CONNECTIONS = StatSpec.gauge(
            "weir_proxy_origin_connections",
            "connections",
            "Connections to origins, in use and idle, by muxer.",
            "muxer");
    public static final StatSpec ORIGIN_IDLE = StatSpec.gauge(
            "weir_proxy_origin_idle", "connections", "Connections to origins that wait for reuse, by muxer.", "muxer");
    public static final StatSpec ORIGIN_WAITING = StatSpec.gauge(
            "weir_proxy_origin_waiting",
            "requests",
            "Requests that wait for a connection to their origin, by muxer. Above 0 for long: raise"
                    + " proxy.origin-pool.max-connections-per-origin, or the origin is slow.",
            "muxer");
    public static final StatSpec ORIGIN_REUSED = StatSpec.counter(
            "weir_proxy_origin_reused_total", "requests", "Requests that found an open connection to their origin.");
    public static final StatSpec ORIGIN_REFUSED = StatSpec.counter(
            "weir_proxy_origin_refused_total",
            "requests",
            "Requests refused because all connections to their origin were in use and the queue was full.");
    public static final StatSpec ORIGIN_RETIRED = StatSpec.counter(
            "weir_proxy_origin_retired_total",
            "connections",
            "Usable connections to origins that were closed here, by the bound that was reached.",
            "reason");
    public static final StatSpec ORIGIN_SURPLUS = StatSpec.counter(
            "weir_proxy_origin_surplus_total",
            "connections",
            "Connections on which an origin sent more than the requested answer. Each is closed, and what was stored"
                    + " from it is no longer used: its answers may have been for other requests. Anything but 0: the"
                    + " origin frames messages differently from Weir, by mistake or by an attack; set quiet for its"
                    + " pool and check the origin.");
    public static final StatSpec ORIGIN_WRITE_PAUSES = StatSpec.counter(
            "weir_proxy_origin_write_pauses_total",
            "pauses",
            "Times that an origin read a request's body so slowly that reading it from the client paused"
                    + " (proxy.limits.stream-buffer).");
    public static final StatSpec TUNNELS =
            StatSpec.counter("weir_proxy_tunnels_total", "tunnels", "Tunnels opened by CONNECT or an upgrade.", "kind");
    public static final StatSpec TUNNELS_OPEN =
            StatSpec.gauge("weir_proxy_tunnels", "tunnels", "Tunnels that are open now.");
    public static final StatSpec TUNNEL_TIMEOUTS = StatSpec.counter(
            "weir_proxy_tunnel_timeouts_total", "tunnels", "Tunnels closed because they were idle for too long.");
    public static final StatSpec DNS_HITS =
            StatSpec.counter("weir_dns_host_hits_total", "look-ups", "Names of origins found in the host DNS cache.");
    public static final StatSpec DNS_MISSES = StatSpec.counter(
            "weir_dns_host_misses_total", "look-ups", "Names of origins that were not in the host DNS cache.");
    public static final StatSpec DNS_STALE = StatSpec.counter(
            "weir_dns_host_stale_total",
            "look-ups",
            "Names of origins that could not be resolved and whose last addresses were used.");
    public static final StatSpec DNS_ENTRIES =
            StatSpec.gauge("weir_dns_host_entries", "names", "Names in the host DNS cache, by muxer.", "muxer");

    /** All of them, in the order of the documentation. */
    public static final List<StatSpec> ALL = List.of(
            REQUESTS,
            RESPONSES,
            BYTES_RECEIVED,
            BYTES_SENT,
            DURATION,
            FAULTS,
            HEADER_TIMEOUTS,
            BODY_TIMEOUTS,
            BODY_RATE_TIMEOUTS,
            READ_STOPS,
            UNREAD_RESTS,
            TRAILERS_DROPPED,
            CLIENT_ABORTS,
            CLIENT_ERRORS,
            UNEXPECTED,
            FETCHES,
            RETRIES,
            ORIGIN_TLS_HANDSHAKES,
            ORIGIN_TLS_RESUMED,
            ORIGIN_TLS_CIPHERS,
            ORIGIN_TLS_FAILURES,
            ORIGIN_FAILURES,
            ORIGIN_CONNECTIONS,
            ORIGIN_IDLE,
            ORIGIN_WAITING,
            ORIGIN_REUSED,
            ORIGIN_REFUSED,
            ORIGIN_RETIRED,
            ORIGIN_SURPLUS,
            ORIGIN_WRITE_PAUSES,
            TUNNELS,
            TUNNELS_OPEN,
            TUNNEL_TIMEOUTS,
            DNS_HITS,
            DNS_MISSES,
            DNS_STALE,
            DNS_ENTRIES);

    private EngineStats() {}
}
