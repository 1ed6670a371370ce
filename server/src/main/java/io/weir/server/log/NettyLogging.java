package io.weir.server.log;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.weir.base.Log;
import io.weir.server.catalogue.ServerMessages;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Brings Netty's own warnings and errors (leaks among them) into the server log; its lower levels are off. Shared; set
 * once per process, before any other use of Netty.
 */
public final class NettyLogging extends InternalLoggerFactory {
    private final Log log;

    NettyLogging(Log log) {
        this.log = log;
    }

    /** Redirects Netty's logging to the log. */
    public static void into(Log log) {
        InternalLoggerFactory.setDefaultFactory(new NettyLogging(log));
    }

    @Override
    protected InternalLogger newInstance(String name) {
        return (InternalLogger) Proxy.newProxyInstance(
                InternalLogger.class.getClassLoader(),
                new Class<?>[] {InternalLogger.class},
                new Forwarder(log, name.substring(name.lastIndexOf('.') + 1), name));
    }

    /** Handles every method of a logger: the interface has forty, of which five matter. */
    private record Forwarder(Log log, String shortName, String name) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            Object[] given = arguments == null ? new Object[0] : arguments;
            return switch (method.getName()) {
                case "name", "toString" -> name;
                case "hashCode" -> hashCode();
                case "equals" -> isSame(given[0]);
                case "isWarnEnabled", "isErrorEnabled" -> true;
                case "isEnabled" -> serious(given);
                case "warn" -> forward(ServerMessages.LIBRARY_WARNING, given);
                case "error" -> forward(ServerMessages.LIBRARY_ERROR, given);
                case "log" ->
                    serious(given)
                            ? forward(
                                    given[0].toString().equals("ERROR")
                                            ? ServerMessages.LIBRARY_ERROR
                                            : ServerMessages.LIBRARY_WARNING,
                                    Arrays.copyOfRange(given, 1, given.length))
                            : null;
                default -> method.getReturnType() == boolean.class ? Boolean.FALSE : null;
            };
        }

        private boolean isSame(Object other) {
            return Proxy.isProxyClass(other.getClass()) && equals(Proxy.getInvocationHandler(other));
        }

        private static boolean serious(Object[] given) {
            String level = String.valueOf(given[0]);
            return level.equals("WARN") || level.equals("ERROR");
        }

        private @Nullable Object forward(ServerMessages message, Object[] given) {
            Object[] flat = given.length == 2 && given[1] instanceof Object[] more ? more : tail(given);
            String text = given[0] instanceof Throwable t
                    ? LogText.fill("{}", t)
                    : LogText.fill(String.valueOf(given[0]), flat);
            log.log(message, shortName + ": " + text);
            return null;
        }

        private static Object[] tail(Object[] given) {
            return Arrays.copyOfRange(given, 1, given.length);
        }
    }
}
