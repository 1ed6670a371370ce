package io.weir.lab.slow;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Ways of being slow. */
public enum SlowKind {
    /** Request bodies that trickle: one half at 300 bytes a second, the other at one. */
    BODIES(620),
    /** Readers of large answers, a kilobyte a second. */
    READERS(100),
    /** Readers of large answers that read nothing, and reconnect after half a minute. */
    SILENT_READERS(100),
    /** Event streams with an event a second. */
    EVENTS(400),
    /** Heads of requests that trickle and never end. */
    HALF_REQUESTS(400),
    /** The beginning of a ClientHello, and nothing more. */
    HALF_HANDSHAKES(360),
    /** HTTP/2 connections with fifty request bodies each, a byte a second. */
    STREAM_BODIES(10),
    /** HTTP/2 connections with fifty large answers each: of one half a kilobyte a second is taken, of the other nothing. */
    STREAM_READERS(10),
    /** The same as HALF_REQUESTS at the admin port. */
    ADMIN_REQUESTS(200),
    /** The same as HALF_HANDSHAKES at the admin port. */
    ADMIN_HANDSHAKES(100),
    /** Half of a HELLO at the messaging port: of one half three bytes, of the other all but its end, byte by byte. */
    MESSAGING_HANDSHAKES(200);

    private final int share;

    SlowKind(int share) {
        this.share = share;
    }

    /** The full load: 2,000 of the HTTP kinds, and 500 more at Weir's other ports. */
    public static Map<SlowKind, Integer> full() {
        Map<SlowKind, Integer> counts = new EnumMap<>(SlowKind.class);
        for (SlowKind kind : values()) {
            counts.put(kind, kind.share);
        }
        return counts;
    }

    /** The given number of each kind. */
    public static Map<SlowKind, Integer> each(int count) {
        Map<SlowKind, Integer> counts = new EnumMap<>(SlowKind.class);
        for (SlowKind kind : values()) {
            counts.put(kind, count);
        }
        return counts;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The port of this kind; 0 if the server has no such port. */
    int port(SlowPorts ports) {
        return switch (this) {
            case BODIES, READERS, SILENT_READERS, EVENTS, HALF_REQUESTS -> ports.plain();
            case HALF_HANDSHAKES -> ports.tls();
            case STREAM_BODIES, STREAM_READERS -> ports.streams();
            case ADMIN_REQUESTS, ADMIN_HANDSHAKES -> ports.admin();
            case MESSAGING_HANDSHAKES -> ports.messaging();
        };
    }

    /**
     * The behaviour of the next client on its connection.
     *
     * @param index within its kind
     */
    SlowManner manner(int index) {
        boolean even = index % 2 == 0;
        return switch (this) {
            case BODIES -> SlowText.body(index, even ? 300 : 1);
            case READERS -> SlowText.reader(index, 1024);
            case SILENT_READERS -> SlowText.reader(index, 0);
            case EVENTS -> SlowText.events(index);
            case HALF_REQUESTS, ADMIN_REQUESTS -> SlowText.halfRequest(index);
            case HALF_HANDSHAKES, ADMIN_HANDSHAKES -> SlowText.halfHandshake();
            case STREAM_BODIES -> new SlowStreams(true);
            case STREAM_READERS -> new SlowStreams(false);
            case MESSAGING_HANDSHAKES -> SlowText.halfHello(even);
        };
    }
}
