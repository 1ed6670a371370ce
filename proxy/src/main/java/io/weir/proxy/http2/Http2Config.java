package io.weir.proxy.http2;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/**
 * The section {@code proxy.http2}: bounds on what one HTTP/2 connection of a client may cost. A connection keeps those that
 * were in force when it was opened. Immutable.
 */
public record Http2Config(
        @Knob(
                doc = "Requests that a client may have open on one connection at a time; more are refused"
                        + " (REFUSED_STREAM) and may be sent again.",
                value = "128",
                unit = "streams",
                min = "1",
                max = "65535",
                dynamic = true,
                watch = "weir_http2_refused_streams_total")
        int concurrentStreams,

        @Knob(
                doc =
                        "Largest list of a request's fields, names and values uncompressed and 32 bytes for each; a larger"
                                + " one is answered 431. proxy.limits.request-head bounds it as well.",
                value = "48KiB",
                min = "4KiB",
                max = "1MiB",
                dynamic = true,
                watch = "weir_http2_resets_sent_total")
        ByteSize headerList,

        @Knob(
                doc =
                        "Bytes of fields that are remembered for each connection to decompress the next request's. More saves"
                                + " bytes on the network and costs memory for each connection.",
                value = "4KiB",
                min = "0",
                max = "64KiB",
                dynamic = true,
                watch = "weir_http2_connections")
        ByteSize headerTable,

        @Knob(
                doc =
                        "Bytes of one request's body that a client may send before its origin took them: uploads over long"
                                + " ways need bandwidth times round trip.",
                value = "256KiB",
                min = "16KiB",
                max = "16MiB",
                dynamic = true,
                watch = "weir_proxy_origin_write_pauses_total")
        ByteSize streamWindow,

        @Knob(
                doc =
                        "The same for all requests of a connection together: the memory that one client's uploads may take.",
                value = "1MiB",
                min = "64KiB",
                max = "256MiB",
                dynamic = true,
                watch = "weir_proxy_origin_write_pauses_total")
        ByteSize connectionWindow,

        @Knob(
                doc =
                        "Bytes of one answer that an origin may send over HTTP/2 before its client or the store took them:"
                                + " answers over long ways need bandwidth times round trip, each that waits for its client may hold"
                                + " that much. New connections to origins get it.",
                value = "256KiB",
                min = "16KiB",
                max = "16MiB",
                dynamic = true,
                watch = "weir_http2_origin_pauses_total")
        ByteSize originWindow,

        @Knob(
                doc = "Largest frame that clients may send.",
                value = "16KiB",
                min = "16KiB",
                max = "1MiB",
                dynamic = true,
                watch = "weir_http2_connection_errors_total")
        ByteSize frame,

        @Knob(
                doc = "The time over which the bounds below are counted.",
                value = "30s",
                min = "1s",
                max = "1h",
                dynamic = true,
                watch = "weir_http2_floods_total")
        Duration floodWindow,

        @Knob(
                doc =
                        "Requests that a client may take back (RST_STREAM) in that time. Past it the connection is cut off: a"
                                + " request costs its sender nothing when it is taken back at once (CVE-2023-44487).",
                value = "200",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = {"weir_http2_floods_total", "weir_http2_resets_received_total"})
        int resets,

        @Knob(
                doc = "Requests that a client may make Weir reset in that time by frames that break HTTP/2"
                        + " (CVE-2025-8671). Past it the connection is cut off.",
                value = "100",
                unit = "streams",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = {"weir_http2_floods_total", "weir_http2_resets_sent_total"})
        int faults,

        @Knob(
                doc = "PING frames in that time; each asks for an answer. Past it the connection is cut off.",
                value = "3000",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int pings,

        @Knob(
                doc = "SETTINGS frames in that time; each asks for an answer. Past it the connection is cut off.",
                value = "100",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int settings,

        @Knob(
                doc = "PRIORITY frames and frames of unknown types in that time; both are read and ignored. Past it the"
                        + " connection is cut off.",
                value = "3000",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int priorities,

        @Knob(
                doc = "Frames without content in that time: DATA that neither carries nor ends anything, empty"
                        + " CONTINUATION. Past it the connection is cut off.",
                value = "100",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int emptyFrames,

        @Knob(
                doc =
                        "WINDOW_UPDATE frames in that time beyond one for each KiB sent. Past it the connection is cut off.",
                value = "3000",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int windowUpdates,

        @Knob(
                doc =
                        "CONTINUATION frames of one request's head. Past it, or past header-list in bytes, the connection is"
                                + " cut off.",
                value = "16",
                unit = "frames",
                min = "1",
                max = "1000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int continuations) {}
