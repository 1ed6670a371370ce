package io.weir.cluster.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connector whose connections are lost when a test says so: after a commit was done and before its answer is heard, which is
 * the worst moment, or altogether. Shared.
 */
final class Cutting implements Connector {
    private final Connector real;
    private volatile @Nullable String armed;
    private volatile boolean away;
    private final AtomicInteger cuts = new AtomicInteger();

    Cutting(Connector real) {
        this.real = real;
    }

    /** The next transaction with such a statement is committed, and its connection lost instead of an answer. */
    void afterNextCommitOf(String statement) {
        armed = statement;
    }

    /** Whether there is no connection to be had; those that are open are lost with their next use. */
    void away(boolean now) {
        away = now;
    }

    int cuts() {
        return cuts.get();
    }

    @Override
    public Connection open() throws SQLException {
        if (away) {
            throw lost();
        }
        Connection connection = real.open();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, new Frail(connection));
    }

    private static SQLException lost() {
        return new SQLException("the connection is lost", "08006");
    }

    /** One connection; confined to its user's thread. */
    private final class Frail implements InvocationHandler {
        private final Connection connection;
        private boolean marked;

        Frail(Connection connection) {
            this.connection = connection;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            boolean ending =
                    method.getName().equals("close") || method.getName().equals("abort");
            if (away && !ending) {
                throw lost();
            }
            String wanted = armed;
            if (method.getName().equals("prepareStatement") && wanted != null && arguments != null) {
                marked |= String.valueOf(arguments[0]).startsWith(wanted);
            }
            Object answer = real(method, arguments);
            if (method.getName().equals("rollback")) {
                marked = false;
            }
            if (method.getName().equals("commit") && marked) {
                armed = null;
                cuts.incrementAndGet();
                connection.close();
                throw lost();
            }
            return answer;
        }

        private @Nullable Object real(Method method, Object @Nullable [] arguments) throws Throwable {
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }
}
