package io.weir.proxy.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The counters of HTTP/2, each resolved once. Shared by all muxers. */
public final class Http2Counters {
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger streamsOpen = new AtomicInteger();
    final Counter streams;
    final Counter refused;
    final Counter stalled;
    private final Counter originConnections;
    private final Counter originStreams;
    private final Counter originUnprocessed;
    private final Counter originPauses;
    private final Map<Http2Error, Counter> resets = new EnumMap<>(Http2Error.class);
    private final Map<Http2Error, Counter> resetsReceived = new EnumMap<>(Http2Error.class);
    private final Map<Http2Error, Counter> goawaysReceived = new EnumMap<>(Http2Error.class);
    private final Map<Http2Error, Counter> originResets = new EnumMap<>(Http2Error.class);
    private final Map<Http2Error, Counter> originGoaways = new EnumMap<>(Http2Error.class);
    private final Map<Http2Error, Counter> errors = new EnumMap<>(Http2Error.class);
    private final Map<Malformed, Counter> malformed = new EnumMap<>(Malformed.class);
    private final Map<Flood, Counter> floods = new EnumMap<>(Flood.class);
    private final Map<Goaway, Counter> goaways = new EnumMap<>(Goaway.class);
    private final Stats stats;

    /** Resolves the counters. */
    public Http2Counters(Stats stats) {
        this.stats = stats;
        streams = stats.counter(Http2Stats.STREAMS);
        refused = stats.counter(Http2Stats.REFUSED);
        stalled = stats.counter(Http2Stats.STALLED);
        originConnections = stats.counter(Http2Stats.ORIGIN_CONNECTIONS);
        originStreams = stats.counter(Http2Stats.ORIGIN_STREAMS);
        originUnprocessed = stats.counter(Http2Stats.ORIGIN_UNPROCESSED);
        originPauses = stats.counter(Http2Stats.ORIGIN_PAUSES);
        stats.gauge(Http2Stats.OPEN, open::get);
        stats.gauge(Http2Stats.STREAMS_OPEN, streamsOpen::get);
        for (Http2Error e : Http2Error.values()) {
            String label = e.name().toLowerCase(Locale.ROOT).replace('_', '-');
            resets.put(e, stats.counter(Http2Stats.RESETS_SENT, label));
            resetsReceived.put(e, stats.counter(Http2Stats.RESETS_RECEIVED, label));
            goawaysReceived.put(e, stats.counter(Http2Stats.GOAWAYS_RECEIVED, label));
            originResets.put(e, stats.counter(Http2Stats.ORIGIN_RESETS, label));
            originGoaways.put(e, stats.counter(Http2Stats.ORIGIN_GOAWAYS, label));
            errors.put(e, stats.counter(Http2Stats.CONNECTION_ERRORS, label));
        }
        for (Malformed m : Malformed.values()) {
            malformed.put(m, stats.counter(Http2Stats.MALFORMED, m.label()));
        }
        for (Goaway g : Goaway.values()) {
            goaways.put(g, stats.counter(Http2Stats.GOAWAYS_SENT, g.label()));
        }
        for (Flood f : Flood.values()) {
            floods.put(f, stats.counter(Http2Stats.FLOODS, f.label()));
        }
    }

    Counter connections(String listener) {
        return stats.counter(Http2Stats.CONNECTIONS, listener);
    }

    /** Counts an HTTP/2 connection to an origin. */
    public void originConnection() {
        originConnections.inc();
    }

    /** Counts a request sent to an origin on a stream. */
    public void originStream() {
        originStreams.inc();
    }

    /** Counts a request that an origin refused without processing. */
    public void originUnprocessed() {
        originUnprocessed.inc();
    }

    /** Counts a pause in reading an answer on a stream. */
    public void originPause() {
        originPauses.inc();
    }

    /** Every constant has its counter from the start. */
    private static <K extends Enum<K>> Counter of(Map<K, Counter> counters, K key) {
        Counter c = counters.get(key);
        if (c == null) {
            throw new IllegalStateException("no counter for " + key);
        }
        return c;
    }

    /** Unknown codes are treated as internal errors (RFC 9113 section 7). */
    private static Http2Error named(long code) {
        Http2Error known = Http2Error.valueOf(code);
        return known == null ? Http2Error.INTERNAL_ERROR : known;
    }

    Counter resetsReceived(long code) {
        return of(resetsReceived, named(code));
    }

    Counter goawaysReceived(long code) {
        return of(goawaysReceived, named(code));
    }

    /** Counts a stream that an origin reset. */
    public void originReset(long code) {
        of(originResets, named(code)).inc();
    }

    /** Counts a connection that an origin ends. */
    public void originGoaway(long code) {
        of(originGoaways, named(code)).inc();
    }

    Counter resets(Http2Error error) {
        return of(resets, error);
    }

    Counter errors(Http2Error error) {
        return of(errors, error);
    }

    Counter malformed(Malformed why) {
        return of(malformed, why);
    }

    Counter goaways(Goaway why) {
        return of(goaways, why);
    }

    Counter floods(Flood why) {
        return of(floods, why);
    }
}
