package io.weir.server.figures.http;

import io.weir.base.StatSpec;
import io.weir.proxy.http2.Http2Stats;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.monitor.source.Facts.Http2;
import java.util.List;
import java.util.function.Function;

/** Every figure of HTTP/2, once: perfdump, stats-xml with its document type and docs/figures.md follow. */
public final class Http2Declarations {
    /** HTTP/2, towards clients and origins. */
    public static final FigureGroup<Http2> HTTP2 = new FigureGroup<>(
            "HTTP/2",
            "http2-bucket",
            null,
            "Http2Info:",
            List.of(
                    figure(Http2Stats.OPEN, Http2::open, "countConnectionsOpen", "Connections"),
                    figure(Http2Stats.CONNECTIONS, Http2::total, "countConnections", "Connections"),
                    figure(Http2Stats.STREAMS_OPEN, Http2::streams, "countStreamsOpen", "Streams"),
                    figure(Http2Stats.STREAMS, Http2::totalStreams, "countStreams", "Streams"),
                    figure(Http2Stats.REFUSED, Http2::refused, "countStreamsRefused", "Refused Streams"),
                    figure(
                            Http2Stats.RESETS_RECEIVED,
                            Http2::resetsReceived,
                            "countResetsReceived",
                            "Resets (received/sent)"),
                    figure(Http2Stats.RESETS_SENT, Http2::resetsSent, "countResetsSent", "Resets (received/sent)"),
                    figure(
                            Http2Stats.GOAWAYS_RECEIVED,
                            Http2::goawaysReceived,
                            "countGoawaysReceived",
                            "Goaways (received/sent)"),
                    figure(Http2Stats.GOAWAYS_SENT, Http2::goawaysSent, "countGoawaysSent", "Goaways (received/sent)"),
                    figure(Http2Stats.FLOODS, Http2::cutOff, "countConnectionsCutOff", "Connections Cut Off"),
                    figure(
                            Http2Stats.ORIGIN_CONNECTIONS,
                            Http2::originConnections,
                            "countOriginConnections",
                            "Origin Connections"),
                    figure(Http2Stats.ORIGIN_STREAMS, Http2::originStreams, "countOriginStreams", "Origin Streams"),
                    figure(Http2Stats.ORIGIN_RESETS, Http2::originResets, "countOriginResets", "Origin Resets/Goaways"),
                    figure(
                            Http2Stats.ORIGIN_GOAWAYS,
                            Http2::originGoaways,
                            "countOriginGoaways",
                            "Origin Resets/Goaways")));

    /** All of them, in the order of stats-xml. */
    public static final List<FigureGroup<?>> ALL = List.of(HTTP2);

    private Http2Declarations() {}

    private static Figure<Http2> figure(
            StatSpec statistic, Function<Http2, Long> value, String attribute, String line) {
        return Figure.count(statistic, value).attribute(attribute).line(line);
    }
}
