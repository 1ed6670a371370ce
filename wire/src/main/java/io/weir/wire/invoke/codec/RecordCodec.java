package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.invoke.UnfitInterface;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record: its components in order; its canonical constructor creates it, and may reject the values. Immutable. */
final class RecordCodec extends NullableType {
    private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);
    private static final MethodType CONSTRUCTOR = MethodType.methodType(Object.class, Object[].class);

    private final String name;
    private final MethodHandle[] accessors;
    private final MethodHandle constructor;
    private final Codec[] parts;

    RecordCodec(Class<?> type, RecordComponent[] components, List<Codec> parts) {
        super(type);
        this.name = type.getName();
        this.parts = parts.toArray(Codec[]::new);
        try {
            this.accessors = new MethodHandle[components.length];
            for (int i = 0; i < components.length; i++) {
                Method accessor = components[i].getAccessor();
                accessor.setAccessible(true);
                accessors[i] = MethodHandles.lookup().unreflect(accessor).asType(ACCESSOR);
            }
            Constructor<?> canonical = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            canonical.setAccessible(true);
            this.constructor = MethodHandles.lookup()
                    .unreflectConstructor(canonical)
                    .asSpreader(Object[].class, components.length)
                    .asType(CONSTRUCTOR);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new UnfitInterface(name + " is not accessible: " + e.getMessage());
        }
    }

    @Override
    void writeValue(Pass pass, ByteBuf out, Object value) {
        for (int i = 0; i < parts.length; i++) {
            parts[i].write(pass, out, part(i, value));
        }
    }

    private @Nullable Object part(int i, Object value) {
        try {
            return accessors[i].invokeExact(value);
        } catch (Throwable e) {
            throw new CodecFault("a component of " + name + " cannot be read: " + e, e);
        }
    }

    @Override
    Object readValue(Pass pass, ByteBuf in) {
        @Nullable Object[] values = new @Nullable Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            values[i] = parts[i].read(pass, in);
        }
        try {
            return constructor.invokeExact(values);
        } catch (Throwable e) {
            throw new CodecFault(name + " rejected the received values: " + e, e);
        }
    }
}
