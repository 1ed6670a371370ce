package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireReader;

/** Values of messaging frames in addition to those of {@link WireReader}. Immutable. */
final class FrameValues {
    private FrameValues() {}

    static WireFault malformed(String what) {
        return new WireFault(Reason.MALFORMED, what);
    }

    /** A non-negative integer of four bytes. */
    static int count(ByteBuf in) {
        int n = WireReader.i32(in);
        if (n < 0) {
            throw malformed("a count of " + n);
        }
        return n;
    }

    /** Four bytes, -1 for no limit. */
    static int window(ByteBuf in) {
        int n = WireReader.i32(in);
        if (n < -1) {
            throw malformed("a window of " + n);
        }
        return n;
    }

    /** A byte, 0 or 1. */
    static boolean bool(ByteBuf in) {
        return upTo(in, 1, "boolean") == 1;
    }

    /** A byte between 0 and {@code max}. */
    static int upTo(ByteBuf in, int max, String what) {
        int n = WireReader.u8(in);
        if (n > max) {
            throw malformed(what + " " + n);
        }
        return n;
    }

    /** Upper bound of a text's bytes, including its length. */
    static int maxTextBytes(String text) {
        return 5 + 3 * text.length();
    }
}
