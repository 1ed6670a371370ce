package io.weir.lab.jmsload;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;

/**
 * Idle consumers that stay open until the process ends, so that the broker's memory can be read: with listeners, ten in
 * each session, the sessions shared out to the connections. Confined to the load's thread.
 */
final class HeldConsumers {
    private static final int IN_A_SESSION = 10;
    private final List<Connection> connections = new ArrayList<>();
    private int consumers;

    /** Opens the consumers of a turn. */
    Measured hold(Turn turn, ConnectionFactory factory, Destination destination) throws JMSException {
        int most = Math.max(1, turn.connections());
        Session session = null;
        for (int i = 0; i < turn.subscribers(); i++) {
            if (session == null || i % IN_A_SESSION == 0) {
                session = connection(factory, i / IN_A_SESSION, most).createSession(false, Session.AUTO_ACKNOWLEDGE);
            }
            session.createConsumer(destination).setMessageListener(m -> {});
            consumers++;
        }
        for (Connection each : connections) {
            each.start();
        }
        return new Measured(consumers, 0, 1, 0, 0, 0, 0, 0, 0);
    }

    private Connection connection(ConnectionFactory factory, int session, int most) throws JMSException {
        if (session < most) {
            connections.add(factory.createConnection());
        }
        return connections.get(session % most);
    }
}
