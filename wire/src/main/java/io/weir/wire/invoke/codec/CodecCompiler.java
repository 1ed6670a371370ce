package io.weir.wire.invoke.codec;

import io.netty.buffer.ByteBuf;
import io.weir.wire.invoke.UnfitInterface;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates the codecs of declared types, each once, and collects the types' definitions for the interface's hash. The
 * set is closed: scalars, enums, records, sealed interfaces of them, and Optional, List, Collection, Set, Map and
 * arrays of these. One thread; lives while an interface is compiled.
 */
public final class CodecCompiler {
    /** Maximum of types per interface: a generic record that contains a larger instance of itself never ends. */
    private static final int MOST_TYPES = 1000;

    private static final int DEEPEST_TYPE = 16;

    private final Map<ResolvedType, Codec> codecs = new HashMap<>();
    private final Map<String, String> definitions = new TreeMap<>();

    /** Placeholder for a codec that is still being created: a type that contains itself. */
    private static final class Later extends Codec {
        private @Nullable Codec made;

        private Codec codec() {
            Codec c = made;
            if (c == null) {
                throw new IllegalStateException("a codec was used before it was complete");
            }
            return c;
        }

        @Override
        public void write(Pass pass, ByteBuf out, @Nullable Object value) {
            codec().write(pass, out, value);
        }

        @Override
        @Nullable
        public Object read(Pass pass, ByteBuf in) {
            return codec().read(pass, in);
        }
    }

    /** The types' definitions by name: equal texts imply the same encoding. */
    public Map<String, String> definitions() {
        return definitions;
    }

    Codec codec(Type type, Map<TypeVariable<?>, ResolvedType> known) {
        return codec(Shapes.of(type, known));
    }

    public Codec codec(ResolvedType shape) {
        if (shape.raw() == void.class) {
            return Codec.VOID;
        }
        Codec simple = Scalars.of(shape.raw());
        if (simple != null) {
            return simple;
        }
        Codec known = codecs.get(shape);
        if (known != null) {
            return known;
        }
        if (codecs.size() >= MOST_TYPES || shape.depth() > DEEPEST_TYPE) {
            throw new UnfitInterface(shape + ", which expands to an unlimited number of types");
        }
        Later later = new Later();
        codecs.put(shape, later);
        Codec made = compile(shape);
        later.made = made;
        codecs.put(shape, made);
        return made;
    }

    private Codec compile(ResolvedType shape) {
        Class<?> raw = shape.raw();
        if (raw.isArray()) {
            return array(shape);
        }
        if (raw == List.class || raw == Collection.class) {
            return new Collections.Elements(raw, codec(shape.args().get(0)), ArrayList::new, false);
        }
        if (raw == Set.class) {
            return new Collections.Elements(raw, codec(shape.args().get(0)), LinkedHashSet::new, true);
        }
        if (raw == Map.class) {
            return new Collections.Entries(
                    codec(shape.args().get(0)), codec(shape.args().get(1)));
        }
        if (raw == Optional.class) {
            return new Collections.Maybe(codec(shape.args().get(0)));
        }
        return userType(shape);
    }

    private Codec array(ResolvedType shape) {
        ResolvedType component = shape.args().get(0);
        return component.raw().isPrimitive()
                ? PrimitiveArrays.of(component.raw())
                : new Collections.Array(component.raw(), codec(component));
    }

    private Codec userType(ResolvedType shape) {
        Class<?> raw = shape.raw();
        if (raw.isEnum()) {
            EnumCodec codec = new EnumCodec(raw);
            definitions.put(raw.getName(), "enum" + codec.names());
            return codec;
        }
        if (raw.isRecord()) {
            return record(shape);
        }
        if (raw.isInterface() && raw.isSealed()) {
            return choice(shape);
        }
        throw new UnfitInterface(
                raw.getName() + " is not a type that calls support: primitives and their boxes, String, BigInteger,"
                        + " BigDecimal, UUID, java.time, enums, records, sealed interfaces of records and enums, and"
                        + " Optional, List, Collection, Set, Map and arrays of these");
    }

    private Codec record(ResolvedType shape) {
        Map<TypeVariable<?>, ResolvedType> known = Shapes.variables(shape);
        RecordComponent[] components = shape.raw().getRecordComponents();
        List<Codec> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder("record");
        for (RecordComponent c : components) {
            try {
                ResolvedType of = Shapes.of(c.getGenericType(), known);
                text.append(' ').append(c.getName()).append(':').append(of);
                parts.add(codec(of));
            } catch (UnfitInterface e) {
                throw new UnfitInterface(shape.raw().getName() + "." + c.getName() + ": " + e.getMessage());
            }
        }
        definitions.put(shape.toString(), text.toString());
        return new RecordCodec(shape.raw(), components, parts);
    }

    private Codec choice(ResolvedType shape) {
        List<ResolvedType> leaves = new ArrayList<>();
        permitted(shape, leaves);
        List<Choice.Option> options = new ArrayList<>();
        StringBuilder text = new StringBuilder("one of");
        for (ResolvedType leaf : leaves) {
            text.append(' ').append(leaf);
            options.add(new Choice.Option(leaf.raw(), codec(leaf)));
        }
        definitions.put(shape.toString(), text.toString());
        return new Choice(shape.raw(), options);
    }

    /** The records and enums below a sealed interface, in the order of their declaration. */
    private static void permitted(ResolvedType parent, List<ResolvedType> leaves) {
        for (Class<?> c : parent.raw().getPermittedSubclasses()) {
            ResolvedType leaf = Shapes.permitted(c, parent);
            if (c.isInterface() && c.isSealed()) {
                permitted(leaf, leaves);
            } else if (c.isRecord() || c.isEnum()) {
                if (!leaves.contains(leaf)) {
                    leaves.add(leaf);
                }
            } else {
                throw new UnfitInterface(parent.raw().getName() + " permits " + c.getName()
                        + ", which is neither a record nor an enum nor a sealed interface of them");
            }
        }
    }
}
