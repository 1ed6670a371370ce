package io.weir.wire.invoke.description;

import io.weir.wire.invoke.UnfitInterface;
import io.weir.wire.invoke.codec.CodecCompiler;
import io.weir.wire.invoke.codec.ResolvedType;
import io.weir.wire.invoke.codec.Shapes;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The description of an interface for calls: its methods by number, with codecs for their parameters and results, and a
 * hash of everything that both ends must agree on. Compiled once per interface. Immutable; shared by all calls.
 */
public final class InterfaceDescription {
    private static final ClassValue<InterfaceDescription> COMPILED = new ClassValue<>() {
        @Override
        protected InterfaceDescription computeValue(Class<?> type) {
            return new InterfaceDescription(type);
        }
    };

    private final Class<?> type;
    private final long hash;
    private final Map<Long, MethodDescription> byId = new HashMap<>();
    private final Map<Method, MethodDescription> byMethod = new HashMap<>();

    private InterfaceDescription(Class<?> type) {
        this.type = type;
        CodecCompiler compiler = new CodecCompiler();
        Map<String, MethodDescription> found = new LinkedHashMap<>();
        collect(type, Map.of(), compiler, found);
        if (found.isEmpty()) {
            throw new UnfitInterface(type.getName() + " has no methods to call");
        }
        Map<String, String> lines = new TreeMap<>(compiler.definitions());
        for (MethodDescription m : found.values()) {
            lines.put(m.key(), m.signature());
            if (byId.put(m.id(), m) != null) {
                throw new UnfitInterface(type.getName() + ": two methods have the same number; rename " + m.key());
            }
        }
        this.hash = Hash.of(type.getName() + "\n" + lines);
    }

    /**
     * Describes an interface.
     *
     * @throws UnfitInterface if its calls cannot be encoded; the text names the method and the reason
     */
    public static InterfaceDescription of(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation()) {
            throw new UnfitInterface(type.getName() + " is not an interface");
        }
        return COMPILED.get(type);
    }

    /**
     * Collects the methods of the interface and of its superinterfaces; a redeclared method precedes the one it
     * overrides.
     */
    private void collect(
            Class<?> from,
            Map<TypeVariable<?>, ResolvedType> known,
            CodecCompiler compiler,
            Map<String, MethodDescription> found) {
        Method[] methods = from.getDeclaredMethods();
        Arrays.sort(methods, (a, b) -> key(a).compareTo(key(b)));
        for (Method m : methods) {
            if (!Modifier.isStatic(m.getModifiers())
                    && !Modifier.isPrivate(m.getModifiers())
                    && !m.isSynthetic()
                    && !ofObject(m)) {
                add(m, known, compiler, found);
            }
        }
        for (Method m : methods) {
            if (m.isBridge()) {
                bridge(m, methods);
            }
        }
        for (Type t : from.getGenericInterfaces()) {
            if (t instanceof ParameterizedType p) {
                ResolvedType shape = Shapes.of(p, known);
                collect(shape.raw(), Shapes.variables(shape), compiler, found);
            } else if (t instanceof Class<?> c) {
                collect(c, Map.of(), compiler, found);
            }
        }
    }

    /** Maps a bridge method, which the compiler adds for a method with narrowed types, to that method. */
    private void bridge(Method bridge, Method[] all) {
        for (Method m : all) {
            MethodDescription to = byMethod.get(m);
            if (to != null && m.getName().equals(bridge.getName()) && wider(bridge, m)) {
                byMethod.putIfAbsent(bridge, to);
            }
        }
    }

    private static boolean wider(Method bridge, Method m) {
        Class<?>[] wide = bridge.getParameterTypes();
        Class<?>[] narrow = m.getParameterTypes();
        boolean wider = wide.length == narrow.length && bridge.getReturnType().isAssignableFrom(m.getReturnType());
        for (int i = 0; wider && i < wide.length; i++) {
            wider = wide[i].isAssignableFrom(narrow[i]);
        }
        return wider;
    }

    private static String key(Method m) {
        return m.getName() + MethodDescription.descriptor(m);
    }

    private static boolean ofObject(Method m) {
        return switch (m.getName()) {
            case "toString", "hashCode" -> m.getParameterCount() == 0;
            case "equals" -> m.getParameterCount() == 1 && m.getParameterTypes()[0] == Object.class;
            default -> false;
        };
    }

    private void add(
            Method m,
            Map<TypeVariable<?>, ResolvedType> known,
            CodecCompiler compiler,
            Map<String, MethodDescription> found) {
        try {
            List<ResolvedType> parameters = new ArrayList<>();
            for (Type p : m.getGenericParameterTypes()) {
                parameters.add(Shapes.of(p, known));
            }
            MethodDescription first = found.get(m.getName() + parameters);
            if (first == null) {
                checkRemote(m);
                ResolvedType result = Shapes.of(m.getGenericReturnType(), known);
                first = new MethodDescription(type, m, parameters, result, compiler);
                found.put(m.getName() + parameters, first);
            }
            byMethod.put(m, first);
        } catch (UnfitInterface e) {
            throw new UnfitInterface(m.getDeclaringClass().getName() + "." + m.getName() + ": " + e.getMessage());
        }
    }

    private void checkRemote(Method m) {
        boolean declared =
                Arrays.stream(m.getExceptionTypes()).anyMatch(t -> t.isAssignableFrom(RemoteException.class));
        if (Remote.class.isAssignableFrom(type) && !declared) {
            throw new UnfitInterface("a method of a java.rmi.Remote interface must declare java.rmi.RemoteException");
        }
    }

    /** The described interface. */
    public Class<?> type() {
        return type;
    }

    public String name() {
        return type.getName();
    }

    /** The hash of the interface's name, its methods and the shapes of all types in them. */
    public long hash() {
        return hash;
    }

    @Nullable
    public MethodDescription method(long id) {
        return byId.get(id);
    }

    @Nullable
    public MethodDescription method(Method method) {
        return byMethod.get(method);
    }
}
