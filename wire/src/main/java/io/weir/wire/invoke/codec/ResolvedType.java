package io.weir.wire.invoke.codec;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A declared type with all its generics resolved: a class and the shapes of its parameters; an array's only one is its
 * component. Immutable.
 */
public record ResolvedType(Class<?> raw, List<ResolvedType> args) {
    public ResolvedType {
        args = List.copyOf(args);
    }

    ResolvedType(Class<?> raw) {
        this(raw, List.of());
    }

    /** How deep parameters are nested in each other. */
    int depth() {
        return 1 + args.stream().mapToInt(ResolvedType::depth).max().orElse(0);
    }

    /** As it is written in a description: the same at both ends when the types are. */
    @Override
    public String toString() {
        if (raw.isArray()) {
            return args.getFirst() + "[]";
        }
        return args.isEmpty()
                ? raw.getName()
                : raw.getName() + args.stream().map(ResolvedType::toString).collect(Collectors.joining(",", "<", ">"));
    }
}
