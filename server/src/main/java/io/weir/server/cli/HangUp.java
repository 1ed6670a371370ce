package io.weir.server.cli;

import java.lang.reflect.Proxy;

/**
 * The signal HUP, by which log rotation programs say that they have moved files. Java's only way to signals is not
 * exported to the compiler, so it is looked up; where it is missing, {@code weir log reopen} is the other way. Stateless.
 */
final class HangUp {
    private HangUp() {}

    /** Runs the action at each HUP, on a thread of the virtual machine's; false where that cannot be. */
    static boolean runs(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            // nothing asks the handler for anything else than this
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
            // no such signal on this system, or the virtual machine has given it away: -Xrs
            return false;
        }
    }
}
