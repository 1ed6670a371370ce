package io.weir.broker.destination;

import io.weir.broker.config.DestinationConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.SendCallback;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A publish-subscribe destination: every subscription that matches a message refers to it; the block is shared.
 * Confined as {@link Destination} says.
 */
public final class TopicDestination extends Destination {
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final MessageView view = new MessageView();
    private volatile List<MessageQueue> queues = List.of();

    TopicDestination(
            DestinationParts parts, DestinationName name, BrokerLoop loop, DestinationConfig config, long owner) {
        super(parts, name, loop, config, owner);
        counts.publish(
                () -> queues.stream().mapToLong(q -> q.available().count()).sum(),
                () -> queues.stream().mapToLong(q -> q.available().bytes()).sum());
    }

    @Override
    public void accept(Message m, SendCallback sent) {
        m.retain();
        if (m.persistent() && context.store().isOpen()) {
            arriving(m);
            acceptPersistent(m, sent);
        } else {
            arrived(m);
            for (int i = 0; i < subscriptions.size(); i++) {
                Subscription s = subscriptions.get(i);
                if (s.wants(m, view, 1)) {
                    m.retain();
                    s.queue.add(new QueueEntry(s.queue, m, 0), SendCallback.IGNORED);
                }
            }
            sent.done(null);
        }
        routed(m);
    }

    /** All matching subscriptions have their reference to the message: releases the router's. */
    private void routed(Message m) {
        if (m.release()) {
            left(m);
        } else {
            m.routed();
        }
    }

    private void acceptPersistent(Message m, SendCallback sent) {
        List<QueueEntry> kept = new ArrayList<>();
        List<QueueEntry> passing = new ArrayList<>();
        for (Subscription s : subscriptions) {
            if (s.wants(m, view, 1)) {
                m.retain();
                (s.durable ? kept : passing).add(new QueueEntry(s.queue, m, 0));
            }
        }
        passing.forEach(e -> e.queue.add(e, SendCallback.IGNORED));
        if (kept.isEmpty()) {
            received(m);
        }
        MessageQueue.addStored(
                context,
                kept,
                passing.isEmpty()
                        ? sent
                        : failure -> {
                            if (failure != null) {
                                passing.forEach(QueueEntry::refused);
                            }
                            sent.done(failure);
                        });
    }

    @Override
    public int further() {
        return Math.max(0, queues.size() - 1);
    }

    @Override
    public List<QueueEntry> route(Message m, boolean delivered) {
        arriving(m);
        m.retain();
        List<QueueEntry> entries = new ArrayList<>();
        for (Subscription s : subscriptions) {
            if (s.wants(m, view, QueueEntry.attempt(0, delivered))) {
                m.retain();
                entries.add(QueueEntry.incoming(s.queue, m, delivered));
            }
        }
        routed(m);
        return entries;
    }

    @Override
    public int takers(Message m, boolean delivered) {
        int takers = 0;
        boolean kept = false;
        for (Subscription s : subscriptions) {
            if (s.wants(m, view, QueueEntry.attempt(0, delivered))) {
                takers++;
                kept |= s.durable || !m.persistent();
            }
        }
        return kept ? takers : 0;
    }

    public void add(Subscription s) {
        subscriptions.add(s);
        published();
    }

    /** Adds a subscription in place of another, if there is one, which is removed with all its messages. */
    public void replace(@Nullable Subscription old, Subscription s) {
        subscriptions.add(s);
        if (old != null && subscriptions.remove(old) && old.queue != s.queue) {
            old.queue.close();
        }
        published();
    }

    /** Removes a subscription with all its messages. */
    public void remove(Subscription s) {
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
    public List<MessageQueue> queues() {
        return queues;
    }
}
