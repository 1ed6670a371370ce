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
            "Streams refused because the connection had proxy.http2.concurrent-streams open; clients may send them again.");
    public static final StatSpec RESETS_RECEIVED = StatSpec.counter(
            "weir_http2_resets_received_total",
            "streams",
            "Streams that clients took back with RST_STREAM, by the error that they named: cancel is a user who went on.",
            "error");
    public static final StatSpec RESETS_SENT = StatSpec.counter(
            "weir_http2_resets_sent_total", "streams", "Streams that Weir reset, by the error that it named.", "error");
    public static final StatSpec CONNECTION_ERRORS = StatSpec.counter(
            "weir_http2_connection_errors_total",
            "connections",
            "Connections ended because their client broke HTTP/2, by the error that Weir named.",
            "error");
    public static final StatSpec MALFORMED = StatSpec.counter(
            "weir_http2_malformed_total",
            "requests",
            "Requests refused for what only HTTP/2 forbids, by reason; the others are in weir_http_faults_total.",
            "reason");
    public static final StatSpec FLOODS = StatSpec.counter(
            "weir_http2_floods_total",
            "connections",
            "Connections cut off (ENHANCE_YOUR_CALM) because their client sent too much that costs only Weir, by what. A"
                    + " rise is an attack, or a bound of proxy.http2 that is too low for a client.",
            "reason");
    public static final StatSpec GOAWAYS_RECEIVED = StatSpec.counter(
            "weir_http2_goaways_received_total",
            "connections",
            "GOAWAY of clients, by the error that they named: anything but no-error says that they did not like what Weir"
                    + " sent.",
            "error");
    public static final StatSpec GOAWAYS_SENT = StatSpec.counter(
            "weir_http2_goaways_sent_total",
            "connections",
            "Connections of clients that Weir ended with GOAWAY, by cause: drain and idle in two steps that lose no request,"
                    + " close at once (all of a kernel's connections in use, for example), flood and error as their own"
                    + " counters tell.",
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
            "Requests sent to origins over HTTP/2. Many for each connection is what it is for.");
    public static final StatSpec ORIGIN_UNPROCESSED = StatSpec.counter(
            "weir_http2_origin_unprocessed_total",
            "streams",
            "Requests that an origin refused unread, by REFUSED_STREAM or GOAWAY; they are sent again where that is possible.");

    public static final StatSpec ORIGIN_RESETS = StatSpec.counter(
            "weir_http2_origin_resets_total",
            "streams",
            "Streams that origins ended with RST_STREAM, by the error that they named; refused-stream ones are sent again"
                    + " where that is possible.",
            "error");
    public static final StatSpec ORIGIN_GOAWAYS = StatSpec.counter(
            "weir_http2_origin_goaways_total",
            "connections",
            "GOAWAY of origins, by the error that they named; no-error is an origin that stops or reloads.",
            "error");
    public static final StatSpec ORIGIN_PAUSES = StatSpec.counter(
            "weir_http2_origin_pauses_total",
            "times",
            "Answers over HTTP/2 that were not taken from their origin for a while, because their client was slow; their"
                    + " windows (proxy.http2.origin-window) stay shut meanwhile.");

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
