package io.weir.lab.ledger;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.function.Function;

/**
 * The kinds of clients of a server.
 *
 * @param factories returns a factory for options of the client, in the form of a URL's
 */
public record Clients(Function<String, ConnectionFactory> factories) {
    private static final String ONE_WAY = "one-way-send-mode=enabled&one-way-send-window-size=";
    static final int WINDOW = 8;

    private ConnectionFactory factory(String options) {
        return factories.apply(options);
    }

    /** Clients whose connections end with the server. */
    ConnectionFactory plain() {
        return factory("reconnect-policy=none");
    }

    /** The same, with messages prefetched for receivers. */
    ConnectionFactory ahead() {
        return factory("reconnect-policy=none&synchronous-prefetch-mode=enabled");
    }

    /** The same, with one-way sends of non-persistent messages. */
    ConnectionFactory oneWay() {
        return factory("reconnect-policy=none&" + ONE_WAY + WINDOW);
    }

    /**
     * Clients whose connections outlive the server, with messages prefetched for receivers and one-way sends of
     * non-persistent messages.
     */
    ConnectionFactory lasting() {
        return factory("reconnect-policy=all&synchronous-prefetch-mode=enabled&" + ONE_WAY + 2 * WINDOW);
    }

    /** Opens a connection that ignores the server's death. */
    static Connection open(ConnectionFactory factory) throws JMSException {
        Connection connection = factory.createConnection();
        connection.setExceptionListener(e -> {});
        return connection;
    }

    static Connection open(ConnectionFactory factory, String subscriber) throws JMSException {
        Connection connection = factory.createConnection();
        connection.setClientID("ledger-" + subscriber);
        connection.setExceptionListener(e -> {});
        return connection;
    }
}
