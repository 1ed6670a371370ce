package io.weir.wire.invoke.description;

import io.weir.wire.invoke.InvocationFault;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.Nullable;

/**
 * The transfer of exceptions: the index of the declared type and a text, never an object. The caller's end creates its
 * own exception. Stateless.
 */
public final class Thrown {
    private static final int LONGEST = 1000;

    private Thrown() {}

    /** The index among the declared exceptions, from 1, under which this one is sent; 0 for none. */
    public static int place(MethodDescription m, Throwable thrown) {
        int best = 0;
        for (int i = 0; i < m.thrown().size(); i++) {
            Class<?> declared = m.thrown().get(i);
            if (declared == thrown.getClass()) {
                return i + 1;
            }
            // an exception not declared on purpose (a RuntimeException under "throws Exception") is a fault, not a
            // response
            boolean expected = !(thrown instanceof RuntimeException) && !(thrown instanceof Error);
            if (expected && declared.isInstance(thrown) && (best == 0 || narrower(m, declared, best))) {
                best = i + 1;
            }
        }
        return best;
    }

    private static boolean narrower(MethodDescription m, Class<?> declared, int than) {
        return m.thrown().get(than - 1).isAssignableFrom(declared);
    }

    /** The text sent to the caller: only the message if the exact type is sent. */
    public static String text(MethodDescription m, int place, Throwable thrown) {
        boolean exact = place > 0 && m.thrown().get(place - 1) == thrown.getClass();
        String message = thrown.getMessage();
        String text = exact
                ? (message == null ? "" : message)
                : thrown.getClass().getName() + (message == null ? "" : ": " + message);
        return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    }

    /** An exception of the declared type, with the fault as its cause; the fault itself if it cannot be created. */
    public static Throwable made(MethodDescription m, int place, String text, InvocationFault fault) {
        if (place < 1 || place > m.thrown().size()) {
            return fault;
        }
        Class<?> type = m.thrown().get(place - 1);
        try {
            Throwable made = instance(type, text);
            if (made == null) {
                return fault;
            }
            if (made.getCause() == null) {
                made.initCause(fault);
            }
            return made;
        } catch (ReflectiveOperationException | RuntimeException e) {
            fault.addSuppressed(e);
            return fault;
        }
    }

    private static @Nullable Throwable instance(Class<?> type, String text) throws ReflectiveOperationException {
        for (Constructor<?> c : type.getDeclaredConstructors()) {
            Class<?>[] p = c.getParameterTypes();
            if (p.length == 1 && p[0] == String.class && c.trySetAccessible()) {
                return (Throwable) c.newInstance(text);
            }
        }
        for (Constructor<?> c : type.getDeclaredConstructors()) {
            if (c.getParameterCount() == 0 && c.trySetAccessible()) {
                return (Throwable) c.newInstance();
            }
        }
        return null;
    }
}
