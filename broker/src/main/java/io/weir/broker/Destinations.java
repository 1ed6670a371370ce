package io.weir.broker;

import io.weir.base.ConfigBinder;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.RefusalCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All destinations by name. Shared. */
final class Destinations {
    private static final DestinationConfig DEFAULTS = ConfigBinder.defaults(DestinationConfig.class);

    private final Engine engine;
    private final Map<DestinationName, Destination> all = new ConcurrentHashMap<>();
    private final AtomicInteger nextLoop = new AtomicInteger();
    private final AtomicLong temporaries = new AtomicLong();

    Destinations(Engine engine) {
        this.engine = engine;
    }

    /** Makes what is configured and not there, and changes what is there. */
    void configure(MessagingConfig config) {
        config.queues().forEach((name, c) -> configure(new DestinationName(DestinationKind.QUEUE, name), c));
        config.topics().forEach((name, c) -> configure(new DestinationName(DestinationKind.TOPIC, name), c));
    }

    private void configure(DestinationName name, DestinationConfig c) {
        Destination d = all.get(name);
        if (d == null) {
            create(name, c);
        } else if (!d.config().equals(c)) {
            d.reconfigure(c);
        }
    }

    /** Makes a destination, or gives the one there is. */
    Destination create(DestinationName name, DestinationConfig config) {
        return all.computeIfAbsent(name, n -> make(n, nextLoop(), config, 0));
    }

    /** Makes a temporary destination of a connection, on its loop. */
    Destination temporary(DestinationKind kind, long connection, Loop loop) {
        String text = "temp-" + Long.toHexString(connection) + "-" + temporaries.incrementAndGet();
        DestinationName name = new DestinationName(kind, text);
        Destination d = make(name, loop, DEFAULTS, connection);
        all.put(name, d);
        return d;
    }

    private Loop nextLoop() {
        List<Loop> loops = engine.loops();
        return loops.get(Math.floorMod(nextLoop.getAndIncrement(), loops.size()));
    }

    private Destination make(DestinationName name, Loop loop, DestinationConfig c, long owner) {
        return name.kind().topic()
                ? new TopicDestination(engine, name, loop, c, owner)
                : new QueueDestination(engine, name, loop, c, owner);
    }

    @Nullable
    Destination find(DestinationName name) {
        return all.get(name);
    }

    /**
     * The destination with this name.
     *
     * @throws Refusal when there is none
     */
    Destination get(DestinationName name) throws Refusal {
        Destination d = all.get(name);
        if (d == null) {
            throw new Refusal(
                    RefusalCode.INVALID_DESTINATION,
                    name.kind().temporary()
                            ? name + " does not exist any more: its connection closed or deleted it"
                            : name + " does not exist: configure it under messaging."
                                    + (name.kind().topic() ? "topics" : "queues"));
        }
        return d;
    }

    /** By the text of configurations and the command line: queue/name, topic/name. */
    @Nullable
    Destination byText(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return null;
        }
        String name = text.substring(slash + 1);
        return switch (text.substring(0, slash)) {
            case "queue" -> all.get(new DestinationName(DestinationKind.QUEUE, name));
            case "topic" -> all.get(new DestinationName(DestinationKind.TOPIC, name));
            case "temporary-queue" -> all.get(new DestinationName(DestinationKind.TEMPORARY_QUEUE, name));
            case "temporary-topic" -> all.get(new DestinationName(DestinationKind.TEMPORARY_TOPIC, name));
            default -> null;
        };
    }

    /** Removes a destination with all that it holds; its consumers are told. */
    void delete(Destination d) {
        if (all.remove(d.name, d)) {
            if (d instanceof TopicDestination topic) {
                engine.subscriptions().forget(topic);
            }
            d.loop.run(() -> {
                d.markDeleted();
                for (MessageQueue q : List.copyOf(d.queues())) {
                    q.evict();
                    q.close();
                }
            });
        }
    }

    /** The broker ends: forgets all messages, which stay in the store. On the loop whose destinations are meant. */
    void abandon(Loop loop) {
        for (Destination d : all.values()) {
            if (d.loop.equals(loop)) {
                d.queues().forEach(MessageQueue::abandon);
            }
        }
    }

    Collection<Destination> all() {
        return all.values();
    }
}
