package io.weir.proxy.http2;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/**
 * The section {@code proxy.http2}: bounds on the cost of one HTTP/2 connection of a client. A connection keeps those
 * that were in force when it was opened. Immutable.
 */
public record Http2Config(
        @Knob(
                doc = "Requests that a client may have open on one connection at a time; further ones are refused"
                        + " (REFUSED_STREAM) and may be sent again."
                        + " Lower it when one client takes too large a share. Rule of thumb: 100 or more, which"
                        + " browsers expect.",
                value = "128",
                unit = "streams",
                min = "1",
                max = "65535",
                dynamic = true,
                watch = "weir_http2_refused_streams_total")
        int concurrentStreams,

        @Knob(
                doc = "Largest list of a request's fields, names and values uncompressed and 32 bytes for each; a"
                        + " larger one is answered 431. proxy.limits.request-head bounds it as well."
                        + " Rule of thumb: the default; as limits.request-head.",
                value = "48KiB",
                min = "4KiB",
                max = "1MiB",
                dynamic = true,
                watch = "weir_http2_resets_sent_total")
        ByteSize headerList,

        @Knob(
                doc = "Size of each connection's HPACK table, against which requests' fields are decompressed. A"
                        + " larger table saves bytes on the network and costs memory for each connection."
                        + " Rule of thumb: the default, which is the standard's.",
                value = "4KiB",
                min = "0",
                max = "64KiB",
                dynamic = true,
                watch = "weir_http2_connections")
        ByteSize headerTable,

        @Knob(
                doc = "Bytes of one request's body that a client may send before its origin has read them"
                        + " (flow-control window): uploads with a long round trip need bandwidth times round"
                        + " trip."
                        + " Rule of thumb: 256KiB for 20 Mbit/s over 100 ms.",
                value = "256KiB",
                min = "16KiB",
                max = "16MiB",
                dynamic = true,
                watch = "weir_proxy_origin_write_pauses_total")
        ByteSize streamWindow,

        @Knob(
                doc = "The same for all requests of a connection together: the memory that one client's uploads may"
                        + " use."
                        + " Rule of thumb: four times stream-window.",
                value = "1MiB",
                min = "64KiB",
                max = "256MiB",
                dynamic = true,
                watch = "weir_proxy_origin_write_pauses_total")
        ByteSize connectionWindow,

        @Knob(
                doc = "Bytes of one answer that an origin may send over HTTP/2 before its client or the store has"
                        + " taken them: answers with a long round trip need bandwidth times round trip, and each"
                        + " one that waits for its client may hold this much. Applies to new connections to"
                        + " origins."
                        + " Rule of thumb: the default for origins in the same room.",
                value = "256KiB",
                min = "16KiB",
                max = "16MiB",
                dynamic = true,
                watch = "weir_http2_origin_pauses_total")
        ByteSize originWindow,

        @Knob(
                doc = "Largest frame that clients may send. Raise it when large uploads use much"
                        + " processor time for each byte; lower it when memory is short, because a"
                        + " connection may hold a whole frame. Rule of thumb: 16KiB, the smallest that"
                        + " HTTP/2 allows (RFC 9113 4.2), which also lets requests of a connection take"
                        + " turns.",
                value = "16KiB",
                min = "16KiB",
                max = "1MiB",
                dynamic = true,
                watch = "weir_http2_connection_errors_total")
        ByteSize frame,

        @Knob(
                doc = "The time over which the frames of the bounds below are counted."
                        + " Rule of thumb: the default.",
                value = "30s",
                min = "1s",
                max = "1h",
                dynamic = true,
                watch = "weir_http2_floods_total")
        Duration floodWindow,

        @Knob(
                doc = "Requests that a client may cancel (RST_STREAM) within flood-window. Beyond that the connection"
                        + " is closed: a request that is cancelled at once costs its sender nothing"
                        + " (CVE-2023-44487)."
                        + " Raise it when clients that leave pages early are cut off: one page's requests for"
                        + " each page left. Rule of thumb: the default.",
                value = "200",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = {"weir_http2_floods_total", "weir_http2_resets_received_total"})
        int resets,

        @Knob(
                doc = "Requests that a client may make Weir reset within flood-window by frames that violate HTTP/2"
                        + " (CVE-2025-8671). Beyond that the connection is closed."
                        + " Rule of thumb: the default; correct clients cause none.",
                value = "100",
                unit = "streams",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = {"weir_http2_floods_total", "weir_http2_resets_sent_total"})
        int faults,

        @Knob(
                doc = "PING frames within flood-window; each requires an answer. Beyond that the connection is closed."
                        + " Rule of thumb: the default; gRPC clients send one for each measurement of bandwidth,"
                        + " browsers a few a minute.",
                value = "3000",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int pings,

        @Knob(
                doc = "SETTINGS frames within flood-window; each requires an answer. Beyond that the connection is"
                        + " closed."
                        + " Rule of thumb: the default; clients send one or two for each connection.",
                value = "100",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int settings,

        @Knob(
                doc = "PRIORITY frames and frames of unknown types within flood-window; both are read and ignored."
                        + " Beyond that the connection is closed."
                        + " Rule of thumb: the default; older browsers send one for each request.",
                value = "3000",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int priorities,

        @Knob(
                doc = "Frames without content within flood-window: DATA that is empty and ends nothing, empty"
                        + " CONTINUATION. Beyond that the connection is closed."
                        + " Rule of thumb: the default; correct clients send hardly any.",
                value = "100",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int emptyFrames,

        @Knob(
                doc = "WINDOW_UPDATE frames within flood-window, beyond one for each KiB sent. Beyond that the"
                        + " connection is closed."
                        + " Rule of thumb: the default.",
                value = "3000",
                unit = "frames",
                min = "1",
                max = "1000000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int windowUpdates,

        @Knob(
                doc = "CONTINUATION frames of one request's head. Beyond that, or beyond header-list in bytes, the"
                        + " connection is closed."
                        + " Rule of thumb: the default; heads of 48 KiB need three.",
                value = "16",
                unit = "frames",
                min = "1",
                max = "1000",
                dynamic = true,
                watch = "weir_http2_floods_total")
        int continuations) {}
