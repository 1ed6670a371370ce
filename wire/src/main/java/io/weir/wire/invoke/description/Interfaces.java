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

/** Which interfaces an object offers, and which of those that a reference names are there. Stateless. */
public final class Interfaces {
    private Interfaces() {}

    /**
     * What of an object may be called: the interfaces of its class that extend {@code java.rmi.Remote}; where there are
     * none, all of its class's own interfaces but those of the platform and those that the predicate leaves out.
     *
     * @throws UnfitInterface when there are none, or one cannot be called over the wire
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
                    type.getName() + " implements no interface of its own: what is called remotely is an interface");
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
     * The interfaces of a reference that this process has too, with the same shape. What the reference says is compared
     * with names that are known here; only such a one is looked up, as an interface, without initializing it, and it
     * serves for nothing when its hash differs.
     *
     * @param known by name the loader of a type that this process knows by that name; null for a name unknown here
     * @throws UnfitInterface when none is left; its message has the reason for each
     */
    public static List<Class<?>> resolve(ServiceReference reference, Function<String, @Nullable ClassLoader> known) {
        List<Class<?>> found = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Map.Entry<String, Long> e : new TreeMap<>(reference.interfaces()).entrySet()) {
            String name = e.getKey();
            ClassLoader loader = platform(name) ? null : known.apply(name);
            if (loader == null) {
                problems.add(
                        name
                                + (platform(name)
                                        ? " is the platform's"
                                        : " is not named by the code that looks it up, nor listed in io.weir.naming.interfaces"));
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
            throw new UnfitInterface(name + " is another version than the owner's (here "
                    + Long.toHexString(here.hash()) + ", there " + Long.toHexString(hash) + ")");
        }
        return type;
    }

    /** A class loader that sees them all: that of the first which does, else the other. */
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
