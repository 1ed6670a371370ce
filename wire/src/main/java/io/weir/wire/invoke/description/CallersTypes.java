package io.weir.wire.invoke.description;

import java.io.IOException;
import java.io.InputStream;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The types named by the calling code: the class names in the class files of the classes on the thread's stack, without
 * those of the platform. {@code (Counter) context.lookup("counter")} names {@code Counter} in its own class file, so a
 * proxy of the right type can be created without loading a class because remote data names it: remote data only selects
 * among these. Confined to the call.
 */
public final class CallersTypes {
    /** Maximum of classes inspected; a deeper caller is unlikely to be the one that casts. */
    static final int MOST = 100;

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final String FILE = ".class";

    private static final ClassValue<Set<String>> NAMED = new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
            return named(type);
        }
    };

    private final List<Class<?>> callers;

    private CallersTypes(List<Class<?>> callers) {
        this.callers = callers;
    }

    /** The types named by the code that is calling now, on this thread. */
    public static CallersTypes here() {
        return WALKER.walk(frames -> of(frames.map(StackFrame::getDeclaringClass), MOST));
    }

    /** @param stack the nearest caller first */
    static CallersTypes of(Stream<Class<?>> stack, int most) {
        return new CallersTypes(stack.<Class<?>>map(CallersTypes::written)
                .filter(c ->
                        c.getClassLoader() != null && !c.getClassLoader().equals(ClassLoader.getPlatformClassLoader()))
                .distinct()
                .limit(most)
                .toList());
    }

    /** The class loader of the nearest caller that names this type, presumably to cast to it; null if none does. */
    public @Nullable ClassLoader naming(String type) {
        for (Class<?> caller : callers) {
            if (NAMED.get(caller).contains(type)) {
                return caller.getClassLoader();
            }
        }
        return null;
    }

    /** The class that has a class file: for a lambda or another hidden class, its nest host. */
    private static Class<?> written(Class<?> type) {
        return type.isHidden() ? type.getNestHost() : type;
    }

    /** The types named by a class; none if its file cannot be read, as for classes generated at run time. */
    private static Set<String> named(Class<?> type) {
        String file = type.getName().replace('.', '/') + FILE;
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
            return in == null ? Set.of() : NamedClasses.in(in.readAllBytes());
        } catch (IOException e) {
            return Set.of();
        }
    }
}
