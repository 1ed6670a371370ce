package io.weir.kernel.settings;

import static io.weir.base.StatSpec.counter;
import static io.weir.base.StatSpec.gauge;
import static io.weir.base.StatSpec.histogram;

import io.weir.base.StatSpec;
import java.util.List;

/** The kernel's statistics, declared once. A second kernel in the process has its own {@link io.weir.base.Stats}. */
public final class KernelStats {
    // Connections
    public static final StatSpec CONNECTIONS_OPEN =
            gauge("weir_connections_open", "connections", "Client connections open now.");
    public static final StatSpec CONNECTIONS_LIMIT =
            gauge("weir_connections_limit", "connections", "Maximum of open client connections (max-connections).");
    public static final StatSpec MUXER_CONNECTIONS =
            gauge("weir_muxer_connections", "connections", "Client connections held by each muxer.", "muxer");
    public static final StatSpec OVERFLOWED = counter(
            "weir_connections_overflowed_total",
            "connections",
            "Connections closed at once because max-connections were open and none was idle.");
    public static final StatSpec EVICTED = counter(
            "weir_connections_given_up_total",
            "connections",
            "Connections reset for new ones at the connection limit because they had waited longest for their client,"
                    + " which had not sent a whole request or did not read its response. Only the admin listener"
                    + " evicts.");
    public static final StatSpec REFUSED_ADDRESS = counter(
            "weir_connections_refused_address_total",
            "connections",
            "Connections closed at once because their client address held too many.");
    public static final StatSpec ACCEPT_TIMEOUTS = counter(
            "weir_accept_timeouts_total",
            "connections",
            "Connections closed because no request began within accept-time-out.");
    public static final StatSpec WRITE_TIMEOUTS = counter(
            "weir_write_timeouts_total",
            "connections",
            "Connections reset because the client read no byte within time-outs.write.");
    public static final StatSpec WRITE_RATE_TIMEOUTS = counter(
            "weir_write_rate_timeouts_total",
            "connections",
            "Connections reset because the client read slower than time-outs.write-rate.");
    public static final StatSpec WRITE_PAUSES = counter(
            "weir_connection_write_pauses_total",
            "pauses",
            "Times that a client's unsent bytes reached buffers.write-high, so that their source was paused.");
    public static final StatSpec UNSENT = gauge(
            "weir_connections_unsent_bytes",
            "bytes",
            "Bytes that wait for clients which do not read them immediately.");
    public static final StatSpec PRESSURE = gauge(
            "weir_pressure_step",
            "steps",
            "How full connections, memory for unsent bytes or the connections to an origin are: 0 up to a half, 8 at"
                    + " the limit. Each step doubles time-outs.body-rate and write-rate, every second one halves"
                    + " time-outs.header, body and write.");
    public static final StatSpec CONNECTION_ERRORS = counter(
                    "weir_connection_errors_total",
                    "connections",
                    "Connections closed by an error of the socket or of the protocol on it.",
                    "cause")
            .withValues("tls", "socket", "protocol");
    public static final StatSpec DRAIN_RESET = counter(
            "weir_connections_drain_reset_total", "connections", "Connections reset when drain-time-out expired.");
    // Listeners
    public static final StatSpec ACCEPTED =
            counter("weir_listener_accepted_total", "connections", "Connections accepted.", "listener");
    public static final StatSpec LISTENER_OPEN =
            gauge("weir_listener_connections", "connections", "Connections open on each listener.", "listener");
    public static final StatSpec PROXY_HEADERS = counter(
                    "weir_listener_proxy_headers_total",
                    "connections",
                    "Connections whose PROXY header was read: from a client that it names, or the load balancer's own.",
                    "listener",
                    "of")
            .withValues("client", "own");
    public static final StatSpec PROXY_REFUSED = counter(
                    "weir_listener_proxy_refused_total",
                    "connections",
                    "Connections closed because of their PROXY header: from outside proxy-protocol.trusted, malformed or"
                            + " missing, or of a client that holds max-connections-per-address.",
                    "listener",
                    "reason")
            .withValues("untrusted", "malformed", "address-limit");
    public static final StatSpec ACCEPT_PAUSES = counter(
            "weir_listener_accept_pauses_total",
            "pauses",
            "Times an acceptor paused because accepting failed, most often for lack of a descriptor.",
            "listener");
    public static final StatSpec ACCEPT_WAITS = counter(
            "weir_listener_accept_waits_total",
            "waits",
            "Times an acceptor waited until the muxers had registered the connections that it had accepted.",
            "listener");
    public static final StatSpec BACKLOG_LENGTH = gauge(
            "weir_listener_backlog",
            "connections",
            "Connections that wait in the operating system to be accepted (Linux, epoll).",
            "listener");
    public static final StatSpec BACKLOG_LIMIT = gauge(
            "weir_listener_backlog_limit",
            "connections",
            "Maximum of connections that wait to be accepted: backlog, or the operating system's limit"
                    + " (net.core.somaxconn) if that is lower (Linux, epoll).",
            "listener");
    public static final StatSpec BACKLOG_DROPS = counter(
            "weir_listener_backlog_drops_total",
            "attempts",
            "Attempts to connect that the operating system dropped, most often because the backlog was full; clients"
                    + " retry after a second (Linux, epoll).",
            "listener");
    // Connection queue
    public static final StatSpec QUEUE_LENGTH =
            gauge("weir_connection_queue_length", "requests", "Requests with a complete head that wait for a slot.");
    public static final StatSpec QUEUE_PEAK =
            gauge("weir_connection_queue_peak", "requests", "Peak of requests that waited for a slot.");
    public static final StatSpec QUEUE_LIMIT = gauge(
            "weir_connection_queue_limit",
            "requests",
            "Queue capacity plus request throttle plus keep-alive maximum, as the Sun proxy shows the limit.");
    public static final StatSpec QUEUED_TOTAL = counter(
            "weir_connection_queue_queued_total",
            "requests",
            "Requests that passed the connection queue, including those that did not wait.");
    public static final StatSpec QUEUE_TICKS = counter(
            "weir_connection_queue_wait_total",
            "microseconds",
            "Time that requests spent in the connection queue, from complete head to handler start.");
    public static final StatSpec QUEUE_OVERFLOWS = counter(
            "weir_connection_queue_overflows_total", "requests", "Requests answered busy because the queue was full.");
    public static final StatSpec QUEUE_TIMEOUTS = counter(
            "weir_connection_queue_time_outs_total",
            "requests",
            "Requests answered busy because no slot was free within connection-queue.time-out.");
    public static final StatSpec QUEUE_CANCELLED = counter(
            "weir_connection_queue_cancelled_total",
            "requests",
            "Requests whose client disconnected while they waited.");
    public static final StatSpec QUEUE_DELAY = histogram(
            "weir_connection_queue_delay",
            "nanoseconds",
            "Wait of the requests that had to wait for a slot, including those that timed out.");
    public static final StatSpec REQUESTS_ACTIVE = gauge(
            "weir_requests_active", "requests", "Requests being handled, without cache hits answered on the muxer.");
    public static final StatSpec REQUESTS_THROTTLE =
            gauge("weir_requests_throttle", "requests", "Maximum of requests handled at once (request-throttle).");
    public static final StatSpec HIGH_CONCURRENCY =
            gauge("weir_mode_high_concurrency", "flag", "1 in high-concurrency mode, 0 in low-latency mode.");
    public static final StatSpec MODE_CHANGES =
            counter("weir_mode_changes_total", "changes", "Changes between low-latency and high-concurrency mode.");
    // Keep-alive
    public static final StatSpec KEEPALIVE_COUNT = gauge(
            "weir_keepalive_connections", "connections", "Connections kept for another request (KeepAliveCount).");
    public static final StatSpec KEEPALIVE_LIMIT =
            gauge("weir_keepalive_limit", "connections", "Maximum of connections kept for another request.");
    public static final StatSpec KEEPALIVE_HITS =
            counter("weir_keepalive_hits_total", "requests", "Requests that arrived on a kept connection.");
    public static final StatSpec KEEPALIVE_FLUSHES = counter(
            "weir_keepalive_flushes_total",
            "connections",
            "Oldest idle connections closed to admit new ones at max-connections.");
    public static final StatSpec KEEPALIVE_REFUSALS = counter(
            "weir_keepalive_refusals_total",
            "connections",
            "Persistent connections closed because keep-alive was at its maximum.");
    public static final StatSpec KEEPALIVE_TIMEOUTS = counter(
            "weir_keepalive_timeouts_total", "connections", "Idle connections closed after keep-alive.timeout.");
    // TLS
    public static final StatSpec TLS_HANDSHAKES =
            counter("weir_tls_handshakes_total", "handshakes", "Completed handshakes.", "listener", "protocol");
    public static final StatSpec TLS_FAILURES = counter(
            "weir_tls_handshake_failures_total", "handshakes", "Failed handshakes by cause.", "listener", "cause");
    public static final StatSpec TLS_RESUMED = counter(
            "weir_tls_handshakes_resumed_total",
            "handshakes",
            "Completed handshakes that resumed a session; the others were full ones.",
            "listener");
    public static final StatSpec TLS_CIPHERS = counter(
            "weir_tls_handshake_ciphers_total",
            "handshakes",
            "Completed handshakes by cipher suite.",
            "listener",
            "cipher");
    public static final StatSpec TLS_OPEN =
            gauge("weir_tls_handshakes_open", "handshakes", "Handshakes in progress.", "listener");
    public static final StatSpec TLS_REFUSED = counter(
            "weir_tls_handshakes_refused_total",
            "connections",
            "Connections closed at once because tls.max-handshakes were in progress, or half of them from one address.",
            "listener");
    public static final StatSpec TLS_EVICTED = counter(
            "weir_tls_handshakes_given_up_total",
            "connections",
            "Connections closed for new ones because their handshake had been pending longest (tls.max-handshakes).",
            "listener");
    public static final StatSpec TLS_TICKETS = counter(
            "weir_tls_tickets_total",
            "tickets",
            "Session tickets: issued, accepted, accepted under an old key and renewed, rejected because of an"
                    + " unknown key.",
            "listener",
            "event");
    public static final StatSpec TLS_RELOADS = counter(
                    "weir_tls_reloads_total",
                    "reloads",
                    "Reloads of certificates, keys or trust: done, or failed with the old ones kept. The listener, or"
                            + " proxy.origin-tls.",
                    "listener",
                    "outcome")
            .withValues("done", "failed");
    public static final StatSpec TLS_EXPIRY = gauge(
            "weir_tls_certificate_expiry_seconds",
            "seconds",
            "Time until a certificate expires; negative afterwards. The listener that presents it, or"
                    + " proxy.origin-tls.",
            "listener",
            "certificate");
    public static final StatSpec TLS_OCSP = counter(
            "weir_tls_ocsp_updates_total",
            "answers",
            "OCSP responses for stapling: read from a file, fetched from a responder, failed.",
            "listener",
            "outcome");
    public static final StatSpec TLS_STAPLED = counter(
            "weir_tls_ocsp_stapled_total",
            "handshakes",
            "Handshakes begun with an OCSP response available for clients that request it.",
            "listener");

    /** Everything declared here, in this order. */
    public static final List<StatSpec> ALL = List.of(
            CONNECTIONS_OPEN,
            CONNECTIONS_LIMIT,
            MUXER_CONNECTIONS,
            OVERFLOWED,
            EVICTED,
            REFUSED_ADDRESS,
            ACCEPT_TIMEOUTS,
            WRITE_TIMEOUTS,
            WRITE_RATE_TIMEOUTS,
            WRITE_PAUSES,
            UNSENT,
            PRESSURE,
            CONNECTION_ERRORS,
            DRAIN_RESET,
            ACCEPTED,
            LISTENER_OPEN,
            PROXY_HEADERS,
            PROXY_REFUSED,
            ACCEPT_PAUSES,
            ACCEPT_WAITS,
            BACKLOG_LENGTH,
            BACKLOG_LIMIT,
            BACKLOG_DROPS,
            QUEUE_LENGTH,
            QUEUE_PEAK,
            QUEUE_LIMIT,
            QUEUED_TOTAL,
            QUEUE_TICKS,
            QUEUE_OVERFLOWS,
            QUEUE_TIMEOUTS,
            QUEUE_CANCELLED,
            QUEUE_DELAY,
            REQUESTS_ACTIVE,
            REQUESTS_THROTTLE,
            HIGH_CONCURRENCY,
            MODE_CHANGES,
            KEEPALIVE_COUNT,
            KEEPALIVE_LIMIT,
            KEEPALIVE_HITS,
            KEEPALIVE_FLUSHES,
            KEEPALIVE_REFUSALS,
            KEEPALIVE_TIMEOUTS,
            TLS_HANDSHAKES,
            TLS_FAILURES,
            TLS_RESUMED,
            TLS_CIPHERS,
            TLS_OPEN,
            TLS_REFUSED,
            TLS_EVICTED,
            TLS_TICKETS,
            TLS_RELOADS,
            TLS_EXPIRY,
            TLS_OCSP,
            TLS_STAPLED);

    private KernelStats() {}
}
