package io.weir.broker.destination;

import io.weir.base.ConfigBinder;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.RefusalCode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All destinations by name. Shared. */
public final class DestinationRegistry {
    private static final DestinationConfig DEFAULTS = ConfigBinder.defaults(DestinationConfig.class);

    private final DestinationParts parts;
    private final List<BrokerLoop> loops;
    private final Predicate<Destination> kept;
    private final Consumer<Destination> deleted;
    private final Map<DestinationName, Destination> all = new ConcurrentHashMap<>();
    private final AtomicInteger nextLoop = new AtomicInteger();
    private final AtomicLong temporaries = new AtomicLong();
    private volatile Set<DestinationName> configured = Set.of();
    /** Topics that are not configured, but have subscriptions in the store. */
    private volatile Set<DestinationName> stored = Set.of();

    private volatile Consumer<Destination> temporaryGone = _ -> {};

    /**
     * Creates an empty registry.
     *
     * @param loops the loops over which destinations are spread
     * @param kept whether a destination has durable subscriptions
     * @param deleted called with each deleted destination, after it was removed from the registry and while it still
     * has its messages
     */
    public DestinationRegistry(
            DestinationParts parts,
            List<BrokerLoop> loops,
            Predicate<Destination> kept,
            Consumer<Destination> deleted) {
        this.parts = parts;
        this.loops = loops;
        this.kept = kept;
        this.deleted = deleted;
    }

    /** Sets a callback for each deleted temporary destination, called on its loop. */
    public void whenTemporaryGone(Consumer<Destination> then) {
        temporaryGone = then;
    }

    /**
     * Creates configured destinations that do not exist, reconfigures those that do, and retires those that were
     * configured and are not any more.
     */
    public void configure(MessagingConfig config) {
        Map<DestinationName, DestinationConfig> now = new LinkedHashMap<>();
        config.queues().forEach((name, c) -> now.put(new DestinationName(DestinationKind.QUEUE, name), c));
        config.topics().forEach((name, c) -> now.put(new DestinationName(DestinationKind.TOPIC, name), c));
        now.forEach(this::configure);
        for (DestinationName before : configured) {
            Destination d = now.containsKey(before) ? null : all.get(before);
            if (d != null) {
                d.retire();
            }
        }
        configured = Set.copyOf(now.keySet());
        // also those that are as they were: the server's pauses are theirs, too
        all.values().forEach(Destination::followPauses);
    }

    private void configure(DestinationName name, DestinationConfig c) {
        AtomicBoolean back = new AtomicBoolean();
        // in one step with the end of a retired one, which may be deleted at this moment
        Destination d = all.computeIfPresent(name, (_, present) -> {
            back.set(present.back());
            return present;
        });
        if (d == null && stored.contains(name)) {
            if (!configured.contains(name)) {
                parts.services().log().log(BrokerMessages.FROM_THE_NEXT_START, name);
            }
        } else if (d == null) {
            create(name, c);
        } else if (back.get() || !d.config().equals(c)) {
            d.reconfigure(c);
        }
    }

    /**
     * Sets the topics that are not configured, but have subscriptions in the store. They do not come live: their
     * subscribers would begin new subscriptions, which take the place of the stored ones with their messages.
     */
    public void stored(Set<DestinationName> topics) {
        stored = Set.copyOf(topics);
    }

    /** Creates a destination, or returns the existing one. */
    public Destination create(DestinationName name, DestinationConfig config) {
        return all.computeIfAbsent(name, n -> make(n, nextLoop(), config, 0));
    }

    /** Creates a temporary destination of a connection, on its loop. */
    public Destination temporary(DestinationKind kind, long connection, BrokerLoop loop) {
        String text = "temp-" + Long.toHexString(connection) + "-" + temporaries.incrementAndGet();
        DestinationName name = new DestinationName(kind, text);
        Destination d = make(name, loop, DEFAULTS, connection);
        all.put(name, d);
        return d;
    }

    private BrokerLoop nextLoop() {
        return loops.get(Math.floorMod(nextLoop.getAndIncrement(), loops.size()));
    }

    private Destination make(DestinationName name, BrokerLoop loop, DestinationConfig c, long owner) {
        return name.kind().topic()
                ? new TopicDestination(parts, name, loop, c, owner)
                : new QueueDestination(parts, name, loop, c, owner);
    }

    @Nullable
    public Destination find(DestinationName name) {
        return all.get(name);
    }

    /**
     * The destination with this name.
     *
     * @throws Refusal if there is none
     */
    public Destination get(DestinationName name) throws RequestRefusal {
        Destination d = all.get(name);
        if (d == null && configured.contains(name) && stored.contains(name)) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    name + " exists from the server's next start: the store has subscriptions of it");
        }
        if (d == null) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    name.kind().temporary()
                            ? name + " does not exist any more: its connection closed or deleted it"
                            : name + " does not exist: configure it under messaging."
                                    + (name.kind().topic() ? "topics" : "queues"));
        }
        return d;
    }

    /** Finds a destination by its text in configurations and on the command line: queue/name, topic/name. */
    @Nullable
    public Destination byText(String text) {
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

    /** Removes a destination with all its messages; its consumers are notified. */
    public void delete(Destination d) {
        if (all.remove(d.name, d)) {
            finish(d);
        }
    }

    /**
     * Deletes a retired destination if it is empty and has not come back. A topic with durable subscriptions stays: they
     * are its clients', and outlive also a wrong line in a file. On its loop.
     */
    public void deleteRetired(Destination d) {
        if (!d.isRetired() || !d.isEmpty() || kept.test(d) || takesDeadLetters(d)) {
            return;
        }
        AtomicBoolean mine = new AtomicBoolean();
        all.computeIfPresent(d.name, (_, present) -> {
            mine.set(present.equals(d) && d.isRetired());
            return mine.get() ? null : present;
        });
        if (mine.get()) {
            d.logDeleted();
            finish(d);
        }
    }

    /** Whether dead letters may still come: they would be discarded without it. */
    private boolean takesDeadLetters(Destination d) {
        String text = d.name.toString();
        for (Destination from : all.values()) {
            boolean over = from.isRetired() && from.isEmpty();
            if (!over && from.config().deliveryFailure().errorDestination().equals(text)) {
                return true;
            }
        }
        return false;
    }

    private void finish(Destination d) {
        deleted.accept(d);
        d.loop.run(() -> {
            d.markDeleted(find(d.name) == null);
            if (d.owner != 0) {
                temporaryGone.accept(d);
            }
            for (MessageQueue q : List.copyOf(d.queues())) {
                q.evict();
                q.close();
            }
        });
    }

    /** Drops all messages from memory when the broker stops; the store keeps them. On the destinations' loop. */
    public void abandon(BrokerLoop loop) {
        for (Destination d : all.values()) {
            if (d.loop.equals(loop)) {
                d.queues().forEach(MessageQueue::abandon);
            }
        }
    }

    public Collection<Destination> all() {
        return all.values();
    }
}
