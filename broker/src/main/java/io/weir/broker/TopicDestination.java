package io.weir.broker;

import io.weir.broker.config.DestinationConfig;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A publish-subscribe destination: every subscription that wants a message refers to it; the block is shared. Confined as
 * {@link Destination} says.
 */
final class TopicDestination extends Destination {
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final MessageView view = new MessageView();
    private volatile List<MessageQueue> queues = List.of();

    TopicDestination(Engine engine, DestinationName name, Loop loop, DestinationConfig config, long owner) {
        super(engine, name, loop, config, owner);
        counts.publish(
                () -> queues.stream().mapToLong(q -> q.available().count()).sum(),
                () -> queues.stream().mapToLong(q -> q.available().bytes()).sum());
    }

    @Override
    void accept(Message m, Sent sent) {
        arrived(m);
        m.retain();
        if (m.persistent() && engine.store().isOpen()) {
            acceptPersistent(m, sent);
        } else {
            for (int i = 0; i < subscriptions.size(); i++) {
                Subscription s = subscriptions.get(i);
                if (s.wants(m, view, 1)) {
                    m.retain();
                    s.queue.add(new Entry(s.queue, m, 0), Sent.NOBODY);
                }
            }
            sent.done(null);
        }
        routed(m);
    }

    /** Everybody who wants the message has it. */
    private void routed(Message m) {
        if (m.release()) {
            left(m);
        } else {
            m.routed();
        }
    }

    private void acceptPersistent(Message m, Sent sent) {
        List<Entry> kept = new ArrayList<>();
        List<Entry> passing = new ArrayList<>();
        for (Subscription s : subscriptions) {
            if (s.wants(m, view, 1)) {
                m.retain();
                (s.durable ? kept : passing).add(new Entry(s.queue, m, 0));
            }
        }
        passing.forEach(e -> e.queue.add(e, Sent.NOBODY));
        MessageQueue.addStored(
                this,
                kept,
                passing.isEmpty()
                        ? sent
                        : failure -> {
                            if (failure != null) {
                                passing.forEach(Entry::refused);
                            }
                            sent.done(failure);
                        });
    }

    @Override
    int further() {
        return Math.max(0, queues.size() - 1);
    }

    @Override
    List<Entry> route(Message m, boolean delivered) {
        arrived(m);
        m.retain();
        List<Entry> entries = new ArrayList<>();
        for (Subscription s : subscriptions) {
            if (s.wants(m, view, Entry.attempt(0, delivered))) {
                m.retain();
                entries.add(Entry.coming(s.queue, m, delivered));
            }
        }
        routed(m);
        return entries;
    }

    @Override
    int takers(Message m, boolean delivered) {
        int takers = 0;
        boolean kept = false;
        for (Subscription s : subscriptions) {
            if (s.wants(m, view, Entry.attempt(0, delivered))) {
                takers++;
                kept |= s.durable || !m.persistent();
            }
        }
        return kept ? takers : 0;
    }

    void add(Subscription s) {
        subscriptions.add(s);
        published();
    }

    /** Puts a subscription in the place of another, if there is one, which goes with all that it holds. */
    void replace(@Nullable Subscription old, Subscription s) {
        subscriptions.add(s);
        if (old != null && subscriptions.remove(old) && old.queue != s.queue) {
            old.queue.close();
        }
        published();
    }

    /** Removes a subscription with all that it holds. */
    void remove(Subscription s) {
        if (subscriptions.remove(s)) {
            published();
            s.queue.close();
        }
    }

    List<Subscription> subscriptions() {
        return subscriptions;
    }

    private void published() {
        queues = subscriptions.stream().map(s -> s.queue).toList();
    }

    @Override
    List<MessageQueue> queues() {
        return queues;
    }
}
