package io.weir.wire;

import org.jspecify.annotations.Nullable;

/** The wire's own frames and those of naming; {@code docs/wire.md} describes each. */
public enum WireFrame {
    HELLO(0x01),
    WELCOME(0x02),
    AUTH(0x03),
    AUTH_OK(0x04),
    ERROR(0x05),
    PING(0x06),
    PONG(0x07),
    GOODBYE(0x08),
    CHALLENGE(0x09),
    LOOKUP(0x10),
    FOUND(0x11),
    NOT_FOUND(0x12),
    LIST(0x13),
    LISTED(0x14);

    /** Bytes before the payload: length, type, stream. */
    public static final int HEAD = 9;

    /** Bytes of the length field, which does not count itself. */
    public static final int LENGTH = 4;

    /** First type that belongs to a service; naming is one. */
    public static final int FIRST_OF_SERVICES = 0x10;

    /** First type of naming. */
    public static final int FIRST_OF_NAMING = 0x10;

    /** Last type reserved for naming, used or not; those of other services follow. */
    public static final int LAST_OF_NAMING = 0x1f;

    private static final @Nullable WireFrame[] BY_CODE = new @Nullable WireFrame[LAST_OF_NAMING + 1];

    static {
        for (WireFrame f : values()) {
            BY_CODE[f.code] = f;
        }
    }

    private final int code;

    WireFrame(int code) {
        this.code = code;
    }

    /** The type's code in the frame, one byte. */
    public int code() {
        return code;
    }

    /** The frame with this type, or null. */
    public static @Nullable WireFrame of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
