package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An enum: the constant's ordinal, which the interface's hash guarantees to be the same at both ends. Immutable. */
final class EnumCodec extends NullableType {
    private final Object[] constants;
    private final Map<Object, Integer> places = new HashMap<>();

    EnumCodec(Class<?> type) {
        super(type);
        this.constants = type.getEnumConstants();
        for (int i = 0; i < constants.length; i++) {
            places.put(constants[i], i);
        }
    }

    List<String> names() {
        return Arrays.stream(constants).map(c -> ((Enum<?>) c).name()).toList();
    }

    @Override
    void writeValue(Pass pass, ByteBuf out, Object value) {
        WireWriter.varint(out, places.getOrDefault(value, 0));
    }

    @Override
    Object readValue(Pass pass, ByteBuf in) {
        int place = WireReader.varint(in);
        if (place >= constants.length) {
            throw new CodecFault("constant " + place + " of an enum that has " + constants.length);
        }
        return constants[place];
    }
}
