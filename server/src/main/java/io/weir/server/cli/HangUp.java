package io.weir.server.cli;

import java.lang.reflect.Proxy;

/**
 * The signal HUP, with which log rotation programs report that they have moved files. Java's only signal API is not
 * exported to the compiler, so it is looked up by reflection; where it is missing, use {@code weir log reopen}.
 * Stateless.
 */
final class HangUp {
    private HangUp() {}

    /** Runs the action at each HUP, on a thread of the virtual machine; returns false if that is not possible. */
    static boolean runs(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            // no other method of the handler is called
            Object handles =
                    Proxy.newProxyInstance(HangUp.class.getClassLoader(), new Class<?>[] {handler}, (_, method, _) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handles);
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            // no such signal on this system, or the virtual machine runs with -Xrs
            return false;
        }
    }
}
