package io.weir.jms.frames;

/** The kinds of destinations; the order is their number on the wire. Immutable. */
public enum DestinationKind {
    QUEUE,
    TOPIC,
    TEMPORARY_QUEUE,
    TEMPORARY_TOPIC;

    private static final DestinationKind[] ALL = values();

    /** Whether it is a topic, temporary or not. */
    public boolean topic() {
        return this == TOPIC || this == TEMPORARY_TOPIC;
    }

    /** Whether it lives no longer than the connection that made it. */
    public boolean temporary() {
        return this == TEMPORARY_QUEUE || this == TEMPORARY_TOPIC;
    }

    static DestinationKind of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw Fields.malformed("destination kind " + code);
        }
        return ALL[code];
    }
}
