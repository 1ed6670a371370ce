package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.util.List;

/** A sealed interface: the index among its permitted types, then that type's value. Immutable. */
final class Choice extends NullableType {
    /** One permitted type. */
    record Option(Class<?> type, Codec codec) {}

    private final Class<?> type;
    private final List<Option> options;

    Choice(Class<?> type, List<Option> options) {
        super(type);
        this.type = type;
        this.options = List.copyOf(options);
    }

    @Override
    void writeValue(Pass pass, ByteBuf out, Object value) {
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i).type().isInstance(value)) {
                WireWriter.varint(out, i);
                options.get(i).codec().write(pass, out, value);
                return;
            }
        }
        throw new CodecFault(value.getClass().getName() + " is not a permitted type of " + type.getName());
    }

    @Override
    Object readValue(Pass pass, ByteBuf in) {
        int place = WireReader.varint(in);
        if (place >= options.size()) {
            throw new CodecFault("type " + place + " of " + type.getName() + ", which permits " + options.size());
        }
        Object value = options.get(place).codec().read(pass, in);
        if (value == null) {
            throw new CodecFault("null for the selected type of " + type.getName());
        }
        return value;
    }
}
