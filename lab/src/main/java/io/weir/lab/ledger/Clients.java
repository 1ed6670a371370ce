package io.weir.lab.ledger;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.function.Function;

/**
 * Clients of each kind of a server.
 *
 * @param factories a factory for options of the client, as they stand in a URL
 */
public record Clients(Function<String, ConnectionFactory> factories) {
    private static final String ONE_WAY = "one-way-send-mode=enabled&one-way-send-window-size=";
    static final int WINDOW = 8;

    private ConnectionFactory factory(String options) {
        return factories.apply(options);
    }

    /** Their connections end with the server. */
    ConnectionFactory plain() {
        return factory("reconnect-policy=none");
    }

    /** The same, whose receivers have messages sent ahead. */
    ConnectionFactory ahead() {
        return factory("reconnect-policy=none&synchronous-prefetch-mode=enabled");
    }

    /** The same, that send what is not persistent without waiting. */
    ConnectionFactory oneWay() {
        return factory("reconnect-policy=none&" + ONE_WAY + WINDOW);
    }

    /** Their connections outlive the server, receivers have messages sent ahead, and what is not persistent goes one way. */
    ConnectionFactory lasting() {
        return factory("reconnect-policy=all&synchronous-prefetch-mode=enabled&" + ONE_WAY + 2 * WINDOW);
    }

    /** A connection to which the server's death is no news. */
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
