package io.weir.lab.bench.http;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Messages that wait in a queue: live data of a heap. Stateless. */
final class WaitingMessages {
    private static final int BYTES = 100;

    private WaitingMessages() {}

    /** Sends so many to the queue {@code waiting} of a server. */
    @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // a server of this benchmark; the API of JNDI takes a Hashtable
    static void send(int port, int count) throws NamingException, JMSException {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "io.weir.jms.WeirContextFactory");
        environment.put(Context.PROVIDER_URL, "weir://127.0.0.1:" + port);
        Context context = new InitialContext(environment);
        ConnectionFactory factory = (ConnectionFactory) context.lookup("OneWay");
        Queue queue = (Queue) context.lookup("waiting");
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(queue)) {
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            byte[] body = new byte[BYTES];
            for (int i = 0; i < count; i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                producer.send(message);
            }
        } finally {
            context.close();
        }
    }
}
