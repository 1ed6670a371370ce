package io.weir.jms.client;

import io.weir.jms.client.consumer.ClientBrowser;
import io.weir.jms.client.consumer.ClientConsumer;
import io.weir.jms.client.consumer.ConsumerParts;
import io.weir.jms.client.producer.ClientProducer;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.Domain;
import io.weir.jms.client.settings.SubscriptionSharingPolicy;
import io.weir.jms.frames.ClientFrames.OpenConsumer;
import io.weir.jms.frames.ClientFrames.Unsubscribe;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.WeirBytesMessage;
import io.weir.jms.message.WeirDestination;
import io.weir.jms.message.WeirMapMessage;
import io.weir.jms.message.WeirMessage;
import io.weir.jms.message.WeirObjectMessage;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirStreamMessage;
import io.weir.jms.message.WeirTextMessage;
import io.weir.jms.message.WeirTopic;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The application's view of a session: unified, queue and topic. Used by one thread at a time, but for close. Lives
 * until it or its connection is closed.
 */
public class ClientSession implements QueueSession, TopicSession {
    private final SessionCore core;
    private final Domain domain;
    private final KnownDestinations known;
    private final Temporaries temporaries;
    private final Supplier<@Nullable String> clientId;

    /**
     * Creates a view of an open session.
     *
     * @param known the destinations that its connection has checked
     * @param temporaries the temporary destinations of its connection
     * @param clientId its connection's client identifier, null while there is none
     */
    ClientSession(
            SessionCore core,
            Domain domain,
            KnownDestinations known,
            Temporaries temporaries,
            Supplier<@Nullable String> clientId) {
        this.core = core;
        this.domain = domain;
        this.known = known;
        this.temporaries = temporaries;
        this.clientId = clientId;
    }

    SessionCore core() {
        return core;
    }

    /** Refuses within a listener that must not close its session. */
    public void checkMayClose() throws JMSException {
        core.checkMayClose();
    }

    /** Acknowledges all messages that the session consumed; throws if that is not possible any more. */
    public void acknowledgeAll() throws JMSException {
        core.acknowledgeAll();
    }

    // ---- messages

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        core.checkOpen();
        return new WeirBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        core.checkOpen();
        return new WeirMapMessage();
    }

    @Override
    public Message createMessage() throws JMSException {
        core.checkOpen();
        return new WeirMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        core.checkOpen();
        return new WeirObjectMessage();
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) throws JMSException {
        ObjectMessage message = createObjectMessage();
        message.setObject(object);
        return message;
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        core.checkOpen();
        return new WeirStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        core.checkOpen();
        return new WeirTextMessage();
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) throws JMSException {
        TextMessage message = createTextMessage();
        message.setText(text);
        return message;
    }

    // ---- the session

    @Override
    public boolean getTransacted() throws JMSException {
        core.checkOpen();
        return core.mode() == AckMode.TRANSACTED || core.mode() == AckMode.BRANCHES;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        core.checkOpen();
        return core.mode().jms();
    }

    @Override
    public void commit() throws JMSException {
        core.transaction().commit();
    }

    @Override
    public void rollback() throws JMSException {
        core.transaction().rollback();
    }

    @Override
    public void recover() throws JMSException {
        core.recover();
    }

    @Override
    public void close() throws JMSException {
        core.close();
    }

    /** Null: a distinguished listener is for application servers' session pools only, which are optional. */
    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        core.checkOpen();
        return null;
    }

    /** Refused: see {@link #getMessageListener}. */
    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        core.checkOpen();
        if (listener != null) {
            throw new JMSException(
                    "listeners are set on consumers; application servers' session pools are not supported");
        }
    }

    /** Does nothing: there is no distinguished listener. */
    @Override
    public void run() {
        // no messages are assigned to sessions
    }

    // ---- destinations

    @Override
    public Queue createQueue(String name) throws JMSException {
        domain.checkQueues("queues");
        return new WeirQueue(named(name));
    }

    @Override
    public Topic createTopic(String name) throws JMSException {
        domain.checkTopics("topics");
        return new WeirTopic(named(name));
    }

    private String named(@Nullable String name) throws JMSException {
        core.checkOpen();
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("a destination needs a name", "NAME");
        }
        return name;
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        domain.checkQueues("temporary queues");
        core.checkOpen();
        return (TemporaryQueue) temporaries.create(DestinationKind.TEMPORARY_QUEUE);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        domain.checkTopics("temporary topics");
        core.checkOpen();
        return (TemporaryTopic) temporaries.create(DestinationKind.TEMPORARY_TOPIC);
    }

    // ---- producers

    @Override
    public MessageProducer createProducer(@Nullable Destination destination) throws JMSException {
        return producer(destination);
    }

    @Override
    public QueueSender createSender(@Nullable Queue queue) throws JMSException {
        domain.checkQueues("senders");
        return producer(queue);
    }

    @Override
    public TopicPublisher createPublisher(@Nullable Topic topic) throws JMSException {
        domain.checkTopics("publishers");
        return producer(topic);
    }

    private ClientProducer producer(@Nullable Destination destination) throws JMSException {
        core.checkOpen();
        WeirDestination to = destination == null ? null : WeirDestination.of(destination);
        if (to != null) {
            known.check(to);
        }
        return new ClientProducer(core.producers(), to);
    }

    // ---- consumers

    @Override
    public MessageConsumer createConsumer(Destination destination) throws JMSException {
        return consumer(destination, null, 0, null);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, @Nullable String selector) throws JMSException {
        return consumer(destination, selector, 0, null);
    }

    /** noLocal applies to topics only. */
    @Override
    public MessageConsumer createConsumer(Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return consumer(
                destination, selector, noLocal && destination instanceof Topic ? OpenConsumer.NO_LOCAL : 0, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector)
            throws JMSException {
        domain.checkTopics("shared consumers");
        return consumer(topic, selector, OpenConsumer.SHARED, subscription(name));
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        return durable(topic, name, null, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return durable(topic, name, selector, noLocal);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return durable(topic, name, null, false);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return durable(topic, name, selector, noLocal);
    }

    private ClientConsumer durable(Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain.checkTopics("durable subscribers");
        boolean sharable = core.knobs().subscriptionSharingPolicy() == SubscriptionSharingPolicy.SHARABLE;
        core.checkOpen();
        WeirDestination from = WeirDestination.of(topic);
        checkDurable(from);
        if (clientId.get() == null && !sharable) {
            // a missing topic is reported first, as it is with a client identifier
            known.check(from);
            throw new IllegalStateException(
                    "a durable subscription that is not shared needs a client identifier", "CLIENT_ID");
        }
        int flags = OpenConsumer.DURABLE
                | (noLocal ? OpenConsumer.NO_LOCAL : 0)
                | (sharable && !noLocal ? OpenConsumer.SHARED : 0);
        return consumer(topic, selector, flags, subscription(name));
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name, @Nullable String selector)
            throws JMSException {
        domain.checkTopics("durable subscribers");
        return consumer(topic, selector, OpenConsumer.DURABLE | OpenConsumer.SHARED, subscription(name));
    }

    @Override
    public QueueReceiver createReceiver(Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue, @Nullable String selector) throws JMSException {
        domain.checkQueues("receivers");
        return consumer(queue, selector, 0, null);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain.checkTopics("subscribers");
        return consumer(topic, selector, noLocal ? OpenConsumer.NO_LOCAL : 0, null);
    }

    private static String subscription(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("a subscription needs a name", "NAME");
        }
        return name;
    }

    private static void checkDurable(WeirDestination topic) throws JMSException {
        if (topic.kind().temporary()) {
            throw new InvalidDestinationException(
                    "a subscription to a temporary topic can not be durable", "TEMPORARY");
        }
    }

    private ClientConsumer consumer(
            @Nullable Destination destination, @Nullable String selector, int flags, @Nullable String subscription)
            throws JMSException {
        core.checkOpen();
        WeirDestination from = WeirDestination.of(destination);
        if ((flags & OpenConsumer.DURABLE) != 0) {
            checkDurable(from);
        }
        temporaries.checkOwn(from);
        ConsumerParts parts = core.consumers();
        parts.prefetch().creating(parts.consumers().count());
        String condition = selector == null || selector.isEmpty() ? null : selector;
        ClientConsumer consumer =
                new ClientConsumer(parts, new ClientConsumer.Spec(from, condition, flags, subscription));
        consumer.open();
        return consumer;
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) throws JMSException {
        domain.checkQueues("browsers");
        core.checkOpen();
        WeirDestination from = WeirDestination.of(queue);
        String condition = selector == null || selector.isEmpty() ? null : selector;
        return ClientBrowser.open(core, core.knobs().windowBytes(), queue, from, condition);
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        domain.checkTopics("subscriptions");
        core.checkOpen();
        String known = subscription(name);
        core.call(FrameType.UNSUBSCRIBE, (out, request) -> new Unsubscribe(request, known).write(out));
    }
}
