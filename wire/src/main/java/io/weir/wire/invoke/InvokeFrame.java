package io.weir.wire.invoke;

import org.jspecify.annotations.Nullable;

/** The frames of remote invocation; {@code docs/wire.md} describes each. */
public enum InvokeFrame {
    CALL(0x60),
    CANCEL(0x61),
    RESULT(0x62),
    FAILED(0x63),
    WRONG_OWNER(0x64);

    /** The first type that is reserved for invocation. */
    public static final int FIRST = 0x60;

    /** The last one. */
    public static final int LAST = 0x6f;

    private final int code;

    InvokeFrame(int code) {
        this.code = code;
    }

    /** The type's code in the frame, one byte. */
    public int code() {
        return code;
    }

    /** The frame with this type, or null. */
    public static @Nullable InvokeFrame of(int code) {
        int place = code - FIRST;
        return place >= 0 && place < values().length ? values()[place] : null;
    }
}
