package io.weir.cluster.members;

import org.jspecify.annotations.Nullable;

/** The frames between members; see {@code docs/wire.md}. */
public enum MembersFrame {
    INTRODUCE(0x70),
    INTRODUCED(0x71),
    FORM(0x72),
    JOIN(0x73),
    INVITE(0x74),
    CHANGE(0x75),
    DONE(0x76);

    /** First and last type of members' frames. */
    public static final int FIRST = 0x70;

    public static final int LAST = 0x77;

    private final int code;

    MembersFrame(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The frame with this type, or null. */
    static @Nullable MembersFrame of(int code) {
        int i = code - FIRST;
        return i >= 0 && i < values().length ? values()[i] : null;
    }
}
