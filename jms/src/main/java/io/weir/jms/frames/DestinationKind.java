package io.weir.jms.frames;

/** The kinds of destinations. Immutable. */
public enum DestinationKind {
    QUEUE(0),
    TOPIC(1),
    TEMPORARY_QUEUE(2),
    TEMPORARY_TOPIC(3);

    private static final DestinationKind[] ALL = values();

    private final int code;

    DestinationKind(int code) {
        this.code = code;
    }

    /** Its number on the wire. */
    public int code() {
        return code;
    }

    /** Whether it is a topic, temporary or not. */
    public boolean topic() {
        return this == TOPIC || this == TEMPORARY_TOPIC;
    }

    /** Whether it lives no longer than the connection that created it. */
    public boolean temporary() {
        return this == TEMPORARY_QUEUE || this == TEMPORARY_TOPIC;
    }

    static DestinationKind of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw FrameValues.malformed("destination kind " + code);
        }
        return ALL[code];
    }
}
