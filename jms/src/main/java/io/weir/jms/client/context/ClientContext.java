package io.weir.jms.client.context;

import static io.weir.jms.client.link.Runtimes.get;
import static io.weir.jms.client.link.Runtimes.getOptional;
import static io.weir.jms.client.link.Runtimes.run;

import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.ClientSession;
import io.weir.jms.client.consumer.ClientConsumer;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.link.Runtimes;
import io.weir.jms.client.link.Target;
import io.weir.jms.client.producer.ClientProducer;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.client.settings.Domain;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The simplified API's context: a session on a connection that is shared with contexts created from it. The session is
 * opened on first use, so that a client identifier can be set before. Used by one thread at a time, but for close.
 */
public class ClientContext implements JMSContext {
    private final ContextConnection shared;
    private final AckMode mode;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable ClientSession session;
    private volatile boolean autoStart = true;
    private @Nullable ClientProducer producer;

    ClientContext(ContextConnection shared, AckMode mode) {
        this.shared = shared;
        this.mode = mode;
    }

    /** Creates a context on its own connection. */
    public static ClientContext on(Target target, int sessionMode) {
        AckMode mode = mode(sessionMode);
        ClientConnection connection = get(() -> ClientConnection.connect(target, Domain.UNIFIED));
        return new ClientContext(new ContextConnection(connection), mode);
    }

    private static AckMode mode(int sessionMode) {
        return get(() -> AckMode.of(sessionMode));
    }

    private ClientConnection connection() {
        return shared.connection();
    }

    private void checkOpen() throws JMSException {
        if (closed.get()) {
            throw Refusals.closed("the context");
        }
    }

    ClientKnobs knobs() {
        return connection().knobs();
    }

    ClientSession session() throws JMSException {
        checkOpen();
        ClientSession s = session;
        if (s != null) {
            return s;
        }
        opening.lock();
        try {
            s = session;
            if (s == null) {
                s = open(connection());
                session = s;
            }
            return s;
        } finally {
            opening.unlock();
        }
    }

    /** Opens the session. */
    ClientSession open(ClientConnection on) throws JMSException {
        return on.session(mode, Domain.UNIFIED);
    }

    /** The anonymous producer that this context's JMSProducers share. */
    ClientProducer producer() throws JMSException {
        ClientProducer p = producer;
        if (p == null) {
            p = (ClientProducer) session().createProducer(null);
            producer = p;
        }
        return p;
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        run(this::checkOpen);
        AckMode other = mode(sessionMode);
        return new ClientContext(shared.shared(), other);
    }

    @Override
    public JMSProducer createProducer() {
        run(this::checkOpen);
        return new ContextProducer(this);
    }

    @Override
    public @Nullable String getClientID() {
        return getOptional(() -> connection().getClientID());
    }

    @Override
    public void setClientID(@Nullable String id) {
        run(() -> connection().setClientID(id));
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return get(() -> connection().getMetaData());
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() {
        return getOptional(() -> connection().getExceptionListener());
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) {
        run(() -> connection().setExceptionListener(listener));
    }

    @Override
    public void start() {
        run(() -> {
            checkOpen();
            connection().start();
        });
    }

    @Override
    public void stop() {
        run(() -> {
            checkOpen();
            connection().stop();
        });
    }

    @Override
    public void setAutoStart(boolean value) {
        run(this::checkOpen);
        autoStart = value;
    }

    @Override
    public boolean getAutoStart() {
        run(this::checkOpen);
        return autoStart;
    }

    @Override
    public void close() {
        run(() -> {
            ClientSession s = session;
            if (closed.get()) {
                return;
            }
            if (s != null) {
                s.checkMayClose();
            }
            if (closed.getAndSet(true)) {
                return;
            }
            if (s != null && !shared.isLast()) {
                s.close();
            }
            shared.release();
        });
    }

    @Override
    public BytesMessage createBytesMessage() {
        return get(() -> session().createBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() {
        return get(() -> session().createMapMessage());
    }

    @Override
    public Message createMessage() {
        return get(() -> session().createMessage());
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return get(() -> session().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) {
        return get(() -> session().createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return get(() -> session().createStreamMessage());
    }

    @Override
    public TextMessage createTextMessage() {
        return get(() -> session().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) {
        return get(() -> session().createTextMessage(text));
    }

    @Override
    public boolean getTransacted() {
        run(this::checkOpen);
        return mode == AckMode.TRANSACTED || mode == AckMode.BRANCHES;
    }

    @Override
    public int getSessionMode() {
        run(this::checkOpen);
        return mode.jms();
    }

    @Override
    public void commit() {
        run(() -> session().commit());
    }

    @Override
    public void rollback() {
        run(() -> session().rollback());
    }

    @Override
    public void recover() {
        run(() -> session().recover());
    }

    @Override
    public void acknowledge() {
        run(() -> session().acknowledgeAll());
    }

    @Override
    public JMSConsumer createConsumer(Destination destination) {
        return consumer(() -> session().createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, @Nullable String selector) {
        return consumer(() -> session().createConsumer(destination, selector));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, @Nullable String selector, boolean noLocal) {
        return consumer(() -> session().createConsumer(destination, selector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name) {
        return consumer(() -> session().createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name, @Nullable String selector, boolean noLocal) {
        return consumer(() -> session().createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name, @Nullable String selector) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name) {
        return consumer(() -> session().createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector) {
        return consumer(() -> session().createSharedConsumer(topic, name, selector));
    }

    private JMSConsumer consumer(Runtimes.Source<MessageConsumer> source) {
        MessageConsumer consumer = get(source);
        startIfAutomatic();
        return new ContextConsumer((ClientConsumer) consumer);
    }

    private void startIfAutomatic() {
        if (autoStart) {
            start();
        }
    }

    @Override
    public Queue createQueue(String name) {
        return get(() -> session().createQueue(name));
    }

    @Override
    public Topic createTopic(String name) {
        return get(() -> session().createTopic(name));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) {
        QueueBrowser browser = get(() -> session().createBrowser(queue, selector));
        startIfAutomatic();
        return browser;
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return get(() -> session().createTemporaryQueue());
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return get(() -> session().createTemporaryTopic());
    }

    @Override
    public void unsubscribe(String name) {
        run(() -> session().unsubscribe(name));
    }
}
