package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the values of one declared type. What is read is decided by the type alone: no byte chooses a class.
 * Immutable once compiled; shared by all calls.
 */
public abstract class Codec {
    /** What a method without a result gives: nothing at all. */
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

    /** The fewest bytes that a value takes: what a count is checked against. */
    int least() {
        return 1;
    }
}
