package io.weir.broker.destination;

import io.weir.broker.config.DestinationConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.SendCallback;
import io.weir.broker.store.QueueKey;
import io.weir.jms.frames.DestinationName;
import java.util.List;

/** A point-to-point destination: one queue of messages, each for one consumer. Confined as {@link Destination} says. */
public final class QueueDestination extends Destination {
    private final MessageQueue queue;

    QueueDestination(
            DestinationParts parts, DestinationName name, BrokerLoop loop, DestinationConfig config, long owner) {
        super(parts, name, loop, config, owner);
        this.queue = new MessageQueue(
                context, name.name(), QueueKey.of(name), !name.kind().temporary());
        counts.publish(queue.available()::count, queue.available()::bytes);
    }

    public MessageQueue queue() {
        return queue;
    }

    @Override
    public void accept(Message m, SendCallback sent) {
        if (queue.stores(m)) {
            arriving(m);
        } else {
            arrived(m);
        }
        m.retain();
        queue.add(new QueueEntry(queue, m, 0), sent);
    }

    @Override
    public int further() {
        return 0;
    }

    @Override
    public List<QueueEntry> route(Message m, boolean delivered) {
        arriving(m);
        m.retain();
        return List.of(QueueEntry.incoming(queue, m, delivered));
    }

    @Override
    public int takers(Message m, boolean delivered) {
        return queue.durable || !m.persistent() ? 1 : 0;
    }

    @Override
    public List<MessageQueue> queues() {
        return List.of(queue);
    }
}
