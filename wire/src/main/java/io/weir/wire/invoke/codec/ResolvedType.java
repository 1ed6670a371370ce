package io.weir.wire.invoke.codec;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A declared type with all generics resolved: a class and its type arguments; an array has its component type as the
 * only argument. Immutable.
 */
public record ResolvedType(Class<?> raw, List<ResolvedType> args) {
    public ResolvedType {
        args = List.copyOf(args);
    }

    ResolvedType(Class<?> raw) {
        this(raw, List.of());
    }

    /** The nesting depth of type arguments. */
    int depth() {
        return 1 + args.stream().mapToInt(ResolvedType::depth).max().orElse(0);
    }

    /** The form in definitions: the same at both ends for equal types. */
    @Override
    public String toString() {
        if (raw.isArray()) {
            return args.get(0) + "[]";
        }
        return args.isEmpty()
                ? raw.getName()
                : raw.getName() + args.stream().map(ResolvedType::toString).collect(Collectors.joining(",", "<", ">"));
    }
}
