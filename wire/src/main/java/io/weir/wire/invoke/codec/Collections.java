package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of containers: a count, then each element. Decoded containers are modifiable and keep the order in which
 * they were encoded. Stateless.
 */
final class Collections {
    /** Maximum capacity that is allocated based on a count alone. */
    private static final int MAX_PRESIZED = 1024;

    private Collections() {}

    /** Lists and sets. */
    static final class Elements extends NullableType {
        private final Codec element;
        private final IntFunction<Collection<@Nullable Object>> make;
        private final boolean distinct;

        Elements(Class<?> type, Codec element, IntFunction<Collection<@Nullable Object>> make, boolean distinct) {
            super(type);
            this.element = element;
            this.make = make;
            this.distinct = distinct;
        }

        @Override
        void writeValue(Pass pass, ByteBuf out, Object value) {
            Object[] all = ((Collection<?>) value).toArray();
            bound(pass, all.length);
            WireWriter.varint(out, all.length);
            for (Object e : all) {
                element.write(pass, out, e);
            }
        }

        private void bound(Pass pass, int n) {
            pass.elements(n);
            if (distinct) {
                Pass.keys(n);
            }
        }

        @Override
        Object readValue(Pass pass, ByteBuf in) {
            int n = WireReader.count(in, element.least());
            bound(pass, n);
            Collection<@Nullable Object> all = make.apply(Math.min(n, MAX_PRESIZED));
            for (int i = 0; i < n; i++) {
                if (!all.add(element.read(pass, in))) {
                    throw new CodecFault("a set with a duplicate element");
                }
            }
            return all;
        }
    }

    /** Maps. */
    static final class Entries extends NullableType {
        private final Codec key;
        private final Codec value;

        Entries(Codec key, Codec value) {
            super(Map.class);
            this.key = key;
            this.value = value;
        }

        @Override
        void writeValue(Pass pass, ByteBuf out, Object map) {
            Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>((Map<?, ?>) map);
            bound(pass, all.size());
            WireWriter.varint(out, all.size());
            all.forEach((k, v) -> {
                key.write(pass, out, k);
                value.write(pass, out, v);
            });
        }

        private static void bound(Pass pass, int n) {
            pass.elements(n);
            Pass.keys(n);
        }

        @Override
        Object readValue(Pass pass, ByteBuf in) {
            int n = WireReader.count(in, key.least() + value.least());
            bound(pass, n);
            Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>();
            for (int i = 0; i < n; i++) {
                Object k = key.read(pass, in);
                if (all.containsKey(k)) {
                    throw new CodecFault("a map with a duplicate key");
                }
                all.put(k, value.read(pass, in));
            }
            return all;
        }
    }

    /** Arrays of references; arrays of primitives are handled by {@link PrimitiveArrays}. */
    static final class Array extends NullableType {
        private final Class<?> component;
        private final Codec element;

        Array(Class<?> component, Codec element) {
            super(component.arrayType());
            this.component = component;
            this.element = element;
        }

        @Override
        void writeValue(Pass pass, ByteBuf out, Object value) {
            Object[] all = (Object[]) value;
            pass.elements(all.length);
            WireWriter.varint(out, all.length);
            for (Object e : all) {
                element.write(pass, out, e);
            }
        }

        @Override
        Object readValue(Pass pass, ByteBuf in) {
            int n = WireReader.count(in, element.least());
            pass.elements(n);
            @Nullable Object[] all = (@Nullable Object[]) java.lang.reflect.Array.newInstance(component, n);
            for (int i = 0; i < n; i++) {
                all[i] = element.read(pass, in);
            }
            return all;
        }
    }

    /** Optional: one byte tells whether a value is present. */
    static final class Maybe extends NullableType {
        private final Codec element;

        Maybe(Codec element) {
            super(Optional.class);
            this.element = element;
        }

        @Override
        void writeValue(Pass pass, ByteBuf out, Object value) {
            element.write(pass, out, ((Optional<?>) value).orElse(null));
        }

        @Override
        Object readValue(Pass pass, ByteBuf in) {
            return Optional.ofNullable(element.read(pass, in));
        }
    }
}
