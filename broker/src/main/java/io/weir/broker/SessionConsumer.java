package io.weir.broker;

import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.selector.Selector;
import io.weir.jms.selector.SelectorFault;
import org.jspecify.annotations.Nullable;

/**
 * A consumer as its session knows it; {@link Consumer} is the same at the queue. Confined to the session's loop.
 */
final class SessionConsumer {
    private final Consumer consumer;
    private final @Nullable Subscription subscription;
    private boolean left;

    private SessionConsumer(Consumer consumer, @Nullable Subscription subscription) {
        this.consumer = consumer;
        this.subscription = subscription;
    }

    /** Opens a consumer and answers. */
    static void open(BrokerSession session, ClientFrames.OpenConsumer open) {
        try {
            SessionConsumer c = make(session, open);
            session.consumers().put(open.consumer(), c);
            MessageQueue queue = c.queue();
            if (queue.loop.equals(session.loop) && !open.durable()) {
                session.replies.ok(open.request());
                queue.attach(c.consumer);
            } else {
                // answered once it is attached: what is sent after the answer reaches it
                session.engine
                        .store()
                        .whenDone(
                                session.loop,
                                open.durable(),
                                () -> queue.loop.run(() -> {
                                    session.loop.run(() -> session.opened(open.request()));
                                    queue.attach(c.consumer);
                                }));
            }
        } catch (Refusal r) {
            session.replies.refused(open.request(), r);
        }
    }

    private static SessionConsumer make(BrokerSession session, ClientFrames.OpenConsumer open) throws Refusal {
        int most = session.engine.config().limits().consumersPerSession();
        if (session.consumers().size() >= most) {
            throw new Refusal(
                    RefusalCode.RESOURCE_ALLOCATION,
                    "the session has " + most + " consumers, the most allowed: close some, or raise"
                            + " limits.consumers-per-session");
        }
        if (session.consumers().containsKey(open.consumer())) {
            throw new Refusal(RefusalCode.ILLEGAL_STATE, "consumer " + open.consumer() + " is open already");
        }
        Destination d = session.engine.destinations().get(open.destination());
        BrokerConnection connection = session.connection;
        if (d.owner != 0 && d.owner != connection.wire.id()) {
            throw new Refusal(
                    RefusalCode.INVALID_DESTINATION,
                    d.name + " is temporary: only the connection that made it may consume from it");
        }
        d.authorise(Destination.Access.RECEIVE, connection.wire.user(), connection.wire.groups());
        Selector selector = selector(open.selector(), d.name);
        Consumer.Mode mode = open.async() ? Consumer.Mode.PUSHED : Consumer.Mode.SYNC;
        if (d instanceof TopicDestination topic) {
            Subscription s = subscribe(session, topic, selector, open);
            return new SessionConsumer(new Consumer(session, open.consumer(), s.queue, null, mode), s);
        }
        if (open.durable() || open.shared()) {
            throw new Refusal(RefusalCode.INVALID_DESTINATION, d.name + " is a queue: subscriptions are for topics");
        }
        MessageQueue queue = ((QueueDestination) d).queue();
        return new SessionConsumer(new Consumer(session, open.consumer(), queue, selector, mode), null);
    }

    /** The selector of this text, or null for none. */
    static @Nullable Selector selector(@Nullable String text, DestinationName where) throws Refusal {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Selector.parse(text);
        } catch (SelectorFault f) {
            throw new Refusal(
                    RefusalCode.INVALID_SELECTOR,
                    "the selector for " + where + " does not parse at character " + f.position() + ": "
                            + f.getMessage());
        }
    }

    private static Subscription subscribe(
            BrokerSession session, TopicDestination topic, @Nullable Selector selector, ClientFrames.OpenConsumer open)
            throws Refusal {
        BrokerConnection connection = session.connection;
        long notFrom = open.noLocal() ? connection.origin() : 0;
        String name = open.subscription();
        if (!open.durable() && !open.shared()) {
            Subscription s = new Subscription(Subscription.PRIVATE, topic, selector, false);
            s.notFrom(notFrom);
            topic.loop.run(() -> topic.add(s));
            return s;
        }
        if (name == null || name.isBlank()) {
            throw new Refusal(RefusalCode.INVALID_DESTINATION, "a durable or shared subscription needs a name");
        }
        if (name.length() > Subscriptions.LONGEST_NAME) {
            throw new Refusal(
                    RefusalCode.INVALID_DESTINATION,
                    "a subscription to " + topic.name + " has a name of " + name.length() + " characters, the most is "
                            + Subscriptions.LONGEST_NAME);
        }
        if (open.durable() && topic.owner != 0) {
            throw new Refusal(
                    RefusalCode.INVALID_DESTINATION, topic.name + " is temporary: no durable subscription to it");
        }
        String clientId = connection.clientId();
        if (open.durable() && !open.shared() && clientId == null) {
            throw new Refusal(
                    RefusalCode.ILLEGAL_STATE,
                    "an unshared durable subscription needs a client identifier: set one on the connection or its"
                            + " factory");
        }
        String key = Subscriptions.key(clientId, name, open.durable());
        Subscription s = session.engine
                .subscriptions()
                .join(
                        key,
                        new Subscriptions.Terms(
                                topic, selector, open.noLocal() ? clientId : null, open.durable(), open.shared()),
                        session.loop);
        s.notFrom(notFrom);
        return s;
    }

    Consumer consumer() {
        return consumer;
    }

    MessageQueue queue() {
        return consumer.queue;
    }

    void mode(Consumer.Mode mode) {
        consumer.mode(mode);
        if (mode == Consumer.Mode.PUSHED) {
            queue().loop.run(queue()::dispatch);
        }
    }

    void receive(ClientFrames.Receive r) {
        Receive receive = new Receive(r.request(), r.maxMessages(), r.maxBytes());
        queue().loop.run(() -> queue().receiving().begin(consumer, receive, r.timeoutMillis()));
    }

    void cancelReceive(int request) {
        queue().loop.run(() -> queue().receiving().cancel(consumer, request));
    }

    /** Has its queue look again if it starved. */
    void wake() {
        if (consumer.fed()) {
            queue().loop.run(queue()::dispatch);
        }
    }

    /** It takes no more messages. */
    void leave() {
        queue().loop.run(() -> queue().detach(consumer));
    }

    /** It is gone: its subscription has a consumer less. */
    void left() {
        Subscription s = subscription;
        if (s != null && !left) {
            left = true;
            s.topic.engine.subscriptions().leave(s);
        }
    }
}
