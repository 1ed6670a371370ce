package io.weir.broker;

import io.weir.broker.config.DestinationConfig;
import io.weir.broker.store.QueueKey;
import io.weir.jms.frames.DestinationName;
import java.util.List;

/** A point-to-point destination: one queue of messages, each for one consumer. Confined as {@link Destination} says. */
final class QueueDestination extends Destination {
    private final MessageQueue queue;

    QueueDestination(Engine engine, DestinationName name, Loop loop, DestinationConfig config, long owner) {
        super(engine, name, loop, config, owner);
        this.queue = new MessageQueue(
                this, name.name(), QueueKey.of(name), !name.kind().temporary());
        counts.publish(queue.available()::count, queue.available()::bytes);
    }

    MessageQueue queue() {
        return queue;
    }

    @Override
    void accept(Message m, Sent sent) {
        arrived(m);
        m.retain();
        queue.add(new Entry(queue, m, 0), sent);
    }

    @Override
    int further() {
        return 0;
    }

    @Override
    List<Entry> route(Message m, boolean delivered) {
        arrived(m);
        m.retain();
        return List.of(Entry.coming(queue, m, delivered));
    }

    @Override
    int takers(Message m, boolean delivered) {
        return queue.durable || !m.persistent() ? 1 : 0;
    }

    @Override
    List<MessageQueue> queues() {
        return List.of(queue);
    }
}
