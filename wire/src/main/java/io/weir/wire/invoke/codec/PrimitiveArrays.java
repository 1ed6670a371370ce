package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import io.weir.wire.invoke.UnfitInterface;
import java.lang.reflect.Array;

/** Arrays of primitives: a count, then the values; byte arrays are copied as a whole. Immutable. */
final class PrimitiveArrays extends NullableType {
    private final Class<?> component;
    private final Codec element;

    private PrimitiveArrays(Class<?> component, Codec element) {
        super(component.arrayType());
        this.component = component;
        this.element = element;
    }

    static Codec of(Class<?> component) {
        Codec element = Scalars.of(component);
        if (element == null) {
            throw new UnfitInterface("an array of " + component);
        }
        return new PrimitiveArrays(component, element);
    }

    @Override
    void writeValue(Pass pass, ByteBuf out, Object value) {
        int n = Array.getLength(value);
        WireWriter.varint(out, n);
        if (value instanceof byte[] bytes) {
            out.writeBytes(bytes);
            return;
        }
        for (int i = 0; i < n; i++) {
            element.write(pass, out, Array.get(value, i));
        }
    }

    @Override
    Object readValue(Pass pass, ByteBuf in) {
        int n = WireReader.count(in, element.least());
        Object array = Array.newInstance(component, n);
        if (array instanceof byte[] bytes) {
            in.readBytes(bytes);
            return bytes;
        }
        for (int i = 0; i < n; i++) {
            Array.set(array, i, element.read(pass, in));
        }
        return array;
    }
}
