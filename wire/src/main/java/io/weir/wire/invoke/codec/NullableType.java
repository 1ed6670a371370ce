package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import org.jspecify.annotations.Nullable;

/** A type whose values may be null, marked by one byte. */
abstract class NullableType extends Codec {
    private final Class<?> type;

    NullableType(Class<?> type) {
        this.type = type;
    }

    @Override
    public final void write(Pass pass, ByteBuf out, @Nullable Object value) {
        if (value == null) {
            out.writeByte(0);
            return;
        }
        if (!type.isInstance(value)) {
            // only reached after unchecked casts in the caller's code
            throw new CodecFault("a " + value.getClass().getName() + " where " + type.getName() + " is declared");
        }
        out.writeByte(1);
        pass.enter();
        writeValue(pass, out, value);
        pass.leave();
    }

    @Override
    public final @Nullable Object read(Pass pass, ByteBuf in) {
        int there = WireReader.u8(in);
        if (there == 0) {
            return null;
        }
        if (there != 1) {
            throw new CodecFault("a null mark of " + there + " instead of 0 or 1");
        }
        pass.enter();
        Object value = readValue(pass, in);
        pass.leave();
        return value;
    }

    abstract void writeValue(Pass pass, ByteBuf out, Object value);

    abstract Object readValue(Pass pass, ByteBuf in);
}
