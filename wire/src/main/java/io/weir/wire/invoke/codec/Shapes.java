package io.weir.wire.invoke.codec;

import io.weir.wire.invoke.UnfitInterface;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Resolves declared types, given the bindings of type variables. Stateless. */
public final class Shapes {
    private Shapes() {}

    public static ResolvedType of(Type type, Map<TypeVariable<?>, ResolvedType> known) {
        if (type instanceof Class<?> c) {
            return ofClass(c, known);
        }
        if (type instanceof ParameterizedType p) {
            List<ResolvedType> args = new ArrayList<>();
            for (Type a : p.getActualTypeArguments()) {
                args.add(of(a, known));
            }
            return new ResolvedType((Class<?>) p.getRawType(), args);
        }
        if (type instanceof GenericArrayType a) {
            ResolvedType component = of(a.getGenericComponentType(), known);
            return new ResolvedType(component.raw().arrayType(), List.of(component));
        }
        if (type instanceof WildcardType w) {
            return of(w.getLowerBounds().length > 0 ? w.getLowerBounds()[0] : w.getUpperBounds()[0], known);
        }
        if (type instanceof TypeVariable<?> v) {
            ResolvedType bound = known.get(v);
            if (bound == null) {
                throw new UnfitInterface("the type variable " + v + ", which is not bound");
            }
            return bound;
        }
        throw new UnfitInterface("the type " + type);
    }

    private static ResolvedType ofClass(Class<?> type, Map<TypeVariable<?>, ResolvedType> known) {
        if (type.isArray()) {
            return new ResolvedType(type, List.of(of(type.getComponentType(), known)));
        }
        if (type.getTypeParameters().length > 0) {
            throw new UnfitInterface(type.getName() + " without its type arguments");
        }
        return new ResolvedType(type);
    }

    /** The bindings of the type variables of the shape's class. */
    public static Map<TypeVariable<?>, ResolvedType> variables(ResolvedType shape) {
        Map<TypeVariable<?>, ResolvedType> known = new HashMap<>();
        TypeVariable<?>[] parameters = shape.raw().getTypeParameters();
        for (int i = 0; i < parameters.length; i++) {
            known.put(parameters[i], shape.args().get(i));
        }
        return known;
    }

    /** A permitted type of a sealed interface, with its type variables bound by the interface's type arguments. */
    static ResolvedType permitted(Class<?> leaf, ResolvedType parent) {
        if (leaf.getTypeParameters().length == 0) {
            return new ResolvedType(leaf);
        }
        Map<TypeVariable<?>, ResolvedType> known = new HashMap<>();
        for (Type t : leaf.getGenericInterfaces()) {
            if (t instanceof ParameterizedType p && p.getRawType() == parent.raw()) {
                Type[] handed = p.getActualTypeArguments();
                for (int i = 0; i < handed.length; i++) {
                    if (handed[i] instanceof TypeVariable<?> v) {
                        known.put(v, parent.args().get(i));
                    }
                }
            }
        }
        List<ResolvedType> args = new ArrayList<>();
        for (TypeVariable<?> v : leaf.getTypeParameters()) {
            args.add(of(v, known));
        }
        return new ResolvedType(leaf, args);
    }
}
