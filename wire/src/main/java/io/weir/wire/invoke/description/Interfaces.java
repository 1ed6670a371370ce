package io.weir.wire.invoke.description;

import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.UnfitInterface;
import java.io.Serializable;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Selects the interfaces that an object offers, and the locally available ones of a reference. Stateless. */
public final class Interfaces {
    private Interfaces() {}

    /**
     * The callable interfaces of an object: those of its class that extend {@code java.rmi.Remote}; if there are none,
     * all interfaces of its class except the platform's and those that the predicate excludes.
     *
     * @throws UnfitInterface if there are none, or one cannot be called over the wire
     */
    public static List<InterfaceDescription> offered(Class<?> type, Predicate<Class<?>> leftOut) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> i : c.getInterfaces()) {
                collect(i, all);
            }
        }
        all.removeIf(i -> i == Remote.class || i == Serializable.class || platform(i.getName()) || leftOut.test(i));
        List<Class<?>> remote =
                all.stream().filter(Remote.class::isAssignableFrom).toList();
        List<InterfaceDescription> offered = new ArrayList<>();
        for (Class<?> i : remote.isEmpty() ? all : remote) {
            if (i.getMethods().length > 0) {
                offered.add(InterfaceDescription.of(i));
            }
        }
        if (offered.isEmpty()) {
            throw new UnfitInterface(
                    type.getName() + " implements no interface of its own; only interfaces can be called remotely");
        }
        return offered;
    }

    private static void collect(Class<?> i, Set<Class<?>> all) {
        all.add(i);
        for (Class<?> above : i.getInterfaces()) {
            collect(above, all);
        }
    }

    private static boolean platform(String name) {
        return name.startsWith("java.") || name.startsWith("javax.");
    }

    /**
     * The interfaces of a reference that this process also has, with the same shape. The names in the reference are
     * compared with names known here; only a known one is loaded, without initializing it, and it is not used if its
     * hash differs.
     *
     * @param known by name the loader of a type that this process knows by that name; null for an unknown name
     * @throws UnfitInterface if none is left; its message has the reason for each
     */
    public static List<Class<?>> resolve(ServiceReference reference, Function<String, @Nullable ClassLoader> known) {
        List<Class<?>> found = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Map.Entry<String, Long> e : new TreeMap<>(reference.interfaces()).entrySet()) {
            String name = e.getKey();
            ClassLoader loader = platform(name) ? null : known.apply(name);
            if (loader == null) {
                problems.add(name
                        + (platform(name)
                                ? " is a platform type"
                                : " is not named by the code that looks it up, nor listed in"
                                        + " io.weir.naming.interfaces"));
                continue;
            }
            try {
                found.add(same(name, e.getValue(), loader));
            } catch (ClassNotFoundException | LinkageError f) {
                problems.add(name + " is not on the class path");
            } catch (UnfitInterface f) {
                problems.add(String.valueOf(f.getMessage()));
            }
        }
        if (found.isEmpty()) {
            throw new UnfitInterface(
                    "no interface of " + reference.service() + " can be used here: " + String.join("; ", problems));
        }
        return found;
    }

    private static Class<?> same(String name, long hash, ClassLoader loader) throws ClassNotFoundException {
        Class<?> type = Class.forName(name, false, loader);
        InterfaceDescription here = InterfaceDescription.of(type);
        if (here.hash() != hash) {
            throw new UnfitInterface(name + " differs from the owner's version (here " + Long.toHexString(here.hash())
                    + ", there " + Long.toHexString(hash) + ")");
        }
        return type;
    }

    /** A class loader that sees all interfaces: that of the first interface that does, otherwise the given one. */
    public static ClassLoader loader(List<Class<?>> interfaces, ClassLoader otherwise) {
        for (Class<?> i : interfaces) {
            ClassLoader own = i.getClassLoader();
            if (own != null && interfaces.stream().allMatch(other -> sees(own, other))) {
                return own;
            }
        }
        return otherwise;
    }

    private static boolean sees(ClassLoader loader, Class<?> type) {
        try {
            return Class.forName(type.getName(), false, loader) == type;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
