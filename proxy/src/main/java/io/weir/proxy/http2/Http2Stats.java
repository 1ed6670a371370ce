package io.weir.proxy.http2;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of HTTP/2 towards clients. Immutable declarations. */
public final class Http2Stats {
    public static final StatSpec CONNECTIONS = StatSpec.counter(
            "weir_http2_connections_total", "connections", "Connections of clients that spoke HTTP/2.", "listener");
    public static final StatSpec OPEN =
            StatSpec.gauge("weir_http2_connections", "connections", "HTTP/2 connections of clients open now.");
    public static final StatSpec STREAMS = StatSpec.counter(
            "weir_http2_streams_total", "streams", "Streams that clients opened: one for each request.");
    public static final StatSpec STREAMS_OPEN =
            StatSpec.gauge("weir_http2_streams", "streams", "Streams of clients open now.");
    public static final StatSpec REFUSED = StatSpec.counter(
            "weir_http2_refused_streams_total",
            "streams",
            "Streams refused because the connection had proxy.http2.concurrent-streams open; clients may send them"
                    + " again.");
    public static final StatSpec RESETS_RECEIVED = StatSpec.counter(
            "weir_http2_resets_received_total",
            "streams",
            "Streams that clients cancelled with RST_STREAM, by error code: cancel is usually a user who navigated"
                    + " away.",
            "error");
    public static final StatSpec RESETS_SENT = StatSpec.counter(
            "weir_http2_resets_sent_total", "streams", "Streams that Weir reset, by error code.", "error");
    public static final StatSpec CONNECTION_ERRORS = StatSpec.counter(
            "weir_http2_connection_errors_total",
            "connections",
            "Connections ended because their client violated HTTP/2, by error code.",
            "error");
    public static final StatSpec MALFORMED = StatSpec.counter(
            "weir_http2_malformed_total",
            "requests",
            "Requests refused for violations specific to HTTP/2, by reason; the others are in weir_http_faults_total.",
            "reason");
    public static final StatSpec FLOODS = StatSpec.counter(
            "weir_http2_floods_total",
            "connections",
            "Connections closed (ENHANCE_YOUR_CALM) because their client caused too much cost, by reason. A"
                    + " rise means an attack, or a bound of proxy.http2 that is too low for a client.",
            "reason");
    public static final StatSpec GOAWAYS_RECEIVED = StatSpec.counter(
            "weir_http2_goaways_received_total",
            "connections",
            "GOAWAY frames of clients, by error code: anything but no-error means that they rejected what Weir"
                    + " sent.",
            "error");
    public static final StatSpec GOAWAYS_SENT = StatSpec.counter(
            "weir_http2_goaways_sent_total",
            "connections",
            "Connections of clients that Weir ended with GOAWAY, by cause: drain and idle in two steps that lose no"
                    + " request, close immediately (for example at the kernel's connection limit), flood and error as"
                    + " in their own counters.",
            "cause");
    public static final StatSpec STALLED = StatSpec.counter(
            "weir_http2_stalled_streams_total",
            "streams",
            "Streams ended because their client opened no window for the answer within kernel.time-outs.write, or"
                    + " windows for less than kernel.time-outs.write-rate.");

    public static final StatSpec ORIGIN_CONNECTIONS = StatSpec.counter(
            "weir_http2_origin_connections_total", "connections", "Connections to origins that speak HTTP/2.");
    public static final StatSpec ORIGIN_STREAMS = StatSpec.counter(
            "weir_http2_origin_streams_total",
            "streams",
            "Requests sent to origins over HTTP/2. Many for each connection are normal.");
    public static final StatSpec ORIGIN_UNPROCESSED = StatSpec.counter(
            "weir_http2_origin_unprocessed_total",
            "streams",
            "Requests that an origin refused unprocessed, by REFUSED_STREAM or GOAWAY; they are sent again if"
                    + " possible.");

    public static final StatSpec ORIGIN_RESETS = StatSpec.counter(
            "weir_http2_origin_resets_total",
            "streams",
            "Streams that origins ended with RST_STREAM, by error code; refused-stream ones are sent again"
                    + " if possible.",
            "error");
    public static final StatSpec ORIGIN_GOAWAYS = StatSpec.counter(
            "weir_http2_origin_goaways_total",
            "connections",
            "GOAWAY frames of origins, by error code; no-error is an origin that stops or reloads.",
            "error");
    public static final StatSpec ORIGIN_PAUSES = StatSpec.counter(
            "weir_http2_origin_pauses_total",
            "times",
            "Times that reading an answer over HTTP/2 from its origin paused because its client was slow; its"
                    + " window (proxy.http2.origin-window) stays closed during the pause.");

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(
            CONNECTIONS,
            OPEN,
            STREAMS,
            STREAMS_OPEN,
            REFUSED,
            RESETS_RECEIVED,
            RESETS_SENT,
            CONNECTION_ERRORS,
            MALFORMED,
            FLOODS,
            GOAWAYS_SENT,
            GOAWAYS_RECEIVED,
            STALLED,
            ORIGIN_CONNECTIONS,
            ORIGIN_STREAMS,
            ORIGIN_UNPROCESSED,
            ORIGIN_RESETS,
            ORIGIN_GOAWAYS,
            ORIGIN_PAUSES);

    private Http2Stats() {}
}
