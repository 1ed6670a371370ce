package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes the values of one declared type. Decoding is determined by the type alone: no received byte
 * selects a class. Immutable once compiled; shared by all calls.
 */
public abstract class Codec {
    /** The result of a void method: no bytes. */
    static final Codec VOID = new Codec() {
        @Override
        public void write(Pass pass, ByteBuf out, @Nullable Object value) {
            // nothing to write
        }

        @Override
        @Nullable
        public Object read(Pass pass, ByteBuf in) {
            return null;
        }

        @Override
        int least() {
            return 0;
        }
    };

    public abstract void write(Pass pass, ByteBuf out, @Nullable Object value);

    public abstract @Nullable Object read(Pass pass, ByteBuf in);

    /** The minimum size of a value in bytes, against which counts are checked. */
    int least() {
        return 1;
    }
}
