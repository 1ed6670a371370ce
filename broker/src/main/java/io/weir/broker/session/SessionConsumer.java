package io.weir.broker.session;

import io.weir.broker.destination.Destination;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.destination.Subscription;
import io.weir.broker.destination.SubscriptionKey;
import io.weir.broker.destination.TopicDestination;
import io.weir.broker.queue.EntrySelection;
import io.weir.broker.queue.QueueAccess;
import io.weir.broker.queue.QueueConsumer;
import io.weir.broker.queue.ReceiveRequest;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.subscription.Subscriptions;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A consumer on its session's side; {@link QueueConsumer} is its counterpart at the queue. Confined to the session's
 * loop.
 */
public final class SessionConsumer {
    private final QueueConsumer consumer;
    private final Subscriptions subscriptions;
    private final @Nullable Subscription subscription;
    private boolean left;

    private SessionConsumer(QueueConsumer consumer, Subscriptions subscriptions, @Nullable Subscription subscription) {
        this.consumer = consumer;
        this.subscriptions = subscriptions;
        this.subscription = subscription;
    }

    /** Opens a consumer and answers. */
    static void open(BrokerSession session, ClientFrames.OpenConsumer open) {
        try {
            check(session, open);
            Destination d = session.engine.destinations().get(open.destination());
            mayReceive(session.connection, d);
            Selector selector = selector(session, open, d);
            if (!(d instanceof TopicDestination topic)) {
                if (open.durable() || open.shared()) {
                    throw new RequestRefusal(
                            RefusalCode.INVALID_DESTINATION, d.name + " is a queue: subscriptions are for topics");
                }
                attach(session, open, ((QueueDestination) d).queue(), selector, null);
            } else if (open.durable() || open.shared()) {
                join(session, open, topic, selector);
            } else {
                Subscription s = Subscription.unnamed(topic, selector);
                s.notFrom(open.noLocal() ? session.connection.origin() : 0);
                topic.loop.run(() -> topic.add(s));
                attach(session, open, s.queue, null, s);
            }
        } catch (RequestRefusal r) {
            session.replies.refused(open.request(), r);
        }
    }

    private static void check(BrokerSession session, ClientFrames.OpenConsumer open) throws RequestRefusal {
        int most = session.engine.config().limits().consumersPerSession();
        if (session.consumers().size() + session.joining().size() >= most) {
            throw new RequestRefusal(
                    RefusalCode.RESOURCE_ALLOCATION,
                    "the session has " + most + " consumers, the most allowed: close some, or raise"
                            + " limits.consumers-per-session");
        }
        if (session.consumers().containsKey(open.consumer())
                || session.joining().contains(open.consumer())) {
            throw new RequestRefusal(RefusalCode.ILLEGAL_STATE, "consumer " + open.consumer() + " is open already");
        }
    }

    private static void mayReceive(BrokerConnection connection, Destination d) throws RequestRefusal {
        if (d.owner != 0 && d.owner != connection.wire.id()) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    d.name + " is temporary: only the connection that created it may consume from it");
        }
        d.authorise(Destination.Access.RECEIVE, connection.wire.user(), connection.wire.groups());
    }

    /** Attaches it to its queue and answers then, so that messages sent after the answer reach it. */
    private static void attach(
            BrokerSession session,
            ClientFrames.OpenConsumer open,
            QueueAccess queue,
            @Nullable Selector selector,
            @Nullable Subscription s) {
        QueueConsumer.Mode mode = open.async() ? QueueConsumer.Mode.PUSHED : QueueConsumer.Mode.SYNC;
        QueueConsumer c = new QueueConsumer(session, open.consumer(), queue, selector, mode);
        session.consumers().put(open.consumer(), new SessionConsumer(c, session.engine.subscriptions(), s));
        if (queue.loop.equals(session.loop)) {
            session.replies.ok(open.request());
            queue.attach(c);
        } else {
            queue.loop.run(() -> {
                session.loop.run(() -> session.opened(open.request()));
                queue.attach(c);
            });
        }
    }

    /** Joins a named subscription, which may wait for the store. */
    private static void join(
            BrokerSession session, ClientFrames.OpenConsumer open, TopicDestination topic, @Nullable Selector selector)
            throws RequestRefusal {
        SubscriptionKey key = key(session.connection, topic, open);
        Subscriptions.Terms terms = new Subscriptions.Terms(
                topic, selector, open.noLocal() ? key.clientId() : null, open.durable(), open.shared());
        session.joining().add(open.consumer());
        session.engine.subscriptions().join(key, terms, session.loop, new Subscriptions.Joined() {
            @Override
            public void joined(Subscription s) {
                session.joining().remove(open.consumer());
                if (session.isClosed()) {
                    session.engine.subscriptions().leave(s);
                    return;
                }
                s.notFrom(open.noLocal() ? session.connection.origin() : 0);
                attach(session, open, s.queue, null, s);
            }

            @Override
            public void refused(RequestRefusal why) {
                session.joining().remove(open.consumer());
                if (!session.isClosed()) {
                    session.replies.refused(open.request(), why);
                }
            }
        });
    }

    private static SubscriptionKey key(
            BrokerConnection connection, TopicDestination topic, ClientFrames.OpenConsumer open) throws RequestRefusal {
        String name = open.subscription();
        if (name == null || name.isBlank()) {
            throw new RequestRefusal(RefusalCode.INVALID_DESTINATION, "a durable or shared subscription needs a name");
        }
        if (name.length() > Subscriptions.LONGEST_NAME) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    "a subscription to " + topic.name + " has a name of " + name.length()
                            + " characters, the maximum is " + Subscriptions.LONGEST_NAME);
        }
        if (open.durable() && topic.owner != 0) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    topic.name + " is temporary: durable subscriptions to it are not possible");
        }
        String clientId = connection.clientId();
        if (open.durable() && !open.shared() && clientId == null) {
            throw new RequestRefusal(
                    RefusalCode.ILLEGAL_STATE,
                    "an unshared durable subscription needs a client identifier: set one on the connection or its"
                            + " factory");
        }
        return new SubscriptionKey(clientId, name, open.durable());
    }

    /** Parses the consumer's selector; a durable subscription can keep one that only an earlier version accepted. */
    private static @Nullable Selector selector(BrokerSession session, ClientFrames.OpenConsumer open, Destination d)
            throws RequestRefusal {
        try {
            return EntrySelection.parse(open.selector(), d.name);
        } catch (RequestRefusal r) {
            if (open.durable() && d instanceof TopicDestination topic) {
                Subscription s = session.engine.subscriptions().find(key(session.connection, topic, open));
                if (s != null && s.selector != null && s.selector.toString().equals(open.selector())) {
                    return s.selector;
                }
            }
            throw r;
        }
    }

    QueueConsumer consumer() {
        return consumer;
    }

    public QueueAccess queue() {
        return consumer.queue;
    }

    void mode(QueueConsumer.Mode mode) {
        consumer.mode(mode);
        if (mode == QueueConsumer.Mode.PUSHED) {
            queue().loop.run(queue()::dispatch);
        }
    }

    void receive(ClientFrames.Receive r) {
        ReceiveRequest receive = new ReceiveRequest(r.request(), r.maxMessages(), r.maxBytes());
        queue().loop.run(() -> queue().receive(consumer, receive, r.timeoutMillis()));
    }

    void cancelReceive(int request) {
        queue().loop.run(() -> queue().cancelReceive(consumer, request));
    }

    /** Makes its queue dispatch again if it was starved. */
    void wake() {
        if (consumer.clearStarved()) {
            queue().loop.run(queue()::dispatch);
        }
    }

    /** Detaches it from its queue. */
    void leave() {
        queue().loop.run(() -> queue().detach(consumer));
    }

    /** Removes it from its subscription. */
    void left() {
        Subscription s = subscription;
        if (s != null && !left) {
            left = true;
            subscriptions.leave(s);
        }
    }
}
