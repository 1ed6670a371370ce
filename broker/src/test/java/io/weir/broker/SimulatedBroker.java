package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.LoopSamplers;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.destination.Subscription;
import io.weir.broker.destination.SubscriptionKey;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.quota.Quota;
import io.weir.broker.recovery.BrokerRecovery;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.session.BrokerEngine;
import io.weir.broker.store.MessageStore;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.Provenance;
import io.weir.journal.Journals;
import io.weir.journal.disk.Disk;
import io.weir.journal.settings.JournalFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A whole broker, from the frames of its clients to the bytes on its disk, without a thread, a socket or a clock of its own:
 * whoever simulates says whose turn it is. What it holds can be looked at from outside. Confined to the test's thread; lives
 * from a start to a stop or a sudden death.
 */
public final class SimulatedBroker {
    private final List<SimulatedLoop> loops = new ArrayList<>();
    private final BrokerEngine engine;
    private final BrokerAdmin admin;
    private final MessageStore store;
    private final List<LoopMaintenance> upkeep = new ArrayList<>();
    private final List<SimulatedConnection> connections = new ArrayList<>();
    private final SimulatedLoop.Turns turns;
    private final Stats stats = new Stats();

    /**
     * What it runs on.
     *
     * @param journal runs the journal's thread, a task at a time
     * @param settings of the section {@code messaging}, as {@code name.of.knob=value}
     */
    public record Parts(
            int loops, Clock clock, Disk disk, Executor journal, Chance chance, Log log, List<String> settings) {}

    /**
     * A message that waits somewhere.
     *
     * @param body its text
     * @param deliveries how often it may have been delivered, as the next delivery will say
     * @param counted deliveries that count toward the redelivery limit
     * @param delayed it waits for its time
     * @param place its place in the order of delivery; of what is delayed 0
     * @param move what it says of its last move; empty where it was never moved
     */
    public record Waiting(
            String body,
            int priority,
            int deliveries,
            int counted,
            boolean delayed,
            boolean persistent,
            long place,
            String move) {}

    /**
     * What a queue or subscription holds.
     *
     * @param waiting in the order of delivery, delayed ones last
     * @param entries with those at consumers
     * @param selector of a subscription
     */
    public record Contents(
            List<Waiting> waiting,
            long entries,
            @Nullable String topic,
            @Nullable String selector) {}

    /** Starts one: recovers what the disk holds. */
    public SimulatedBroker(Parts parts) throws IOException, JournalFault {
        turns = new SimulatedLoop.Turns(parts.clock());
        for (int i = 0; i < parts.loops(); i++) {
            loops.add(new SimulatedLoop(i, parts.clock(), turns));
        }
        Live<MessagingConfig> config = new Live<>(Bench.bind(parts.settings()));
        engine = new BrokerEngine(List.copyOf(loops), config, parts.clock(), stats, parts.log());
        LoopSamplers samplers = new LoopSamplers(engine);
        admin = new BrokerAdmin(engine, samplers);
        BrokerRecovery recovery = new BrokerRecovery(engine, this::passed);
        Journals.Parts journal = new Journals.Parts(parts.disk(), parts.clock(), parts.chance(), stats, parts.log());
        store = MessageStore.open(
                BrokerAdmin.JOURNAL, config.get().journal(), journal, parts.journal(), Runnable::run, recovery);
        engine.store().use(store, engine.loops());
        recovery.finish();
        passed();
        for (SimulatedLoop loop : loops) {
            LoopMaintenance u = new LoopMaintenance(engine, samplers.of(loop), loop);
            upkeep.add(u);
            loop.post(u::start);
        }
        passed();
    }

    private void passed() {
        boolean ran = true;
        while (ran) {
            ran = false;
            for (SimulatedLoop loop : loops) {
                while (loop.waits()) {
                    loop.take();
                    ran = true;
                }
            }
        }
    }

    /** The loops, each of which may have something to do. */
    public List<SimulatedLoop> loops() {
        return loops;
    }

    /** When the first timer is due, by the monotonic clock; {@link Long#MAX_VALUE} without one. */
    public long nextTimer() {
        return turns.nextTimer();
    }

    /** Runs the first timer. */
    public void runTimer() {
        turns.runTimer();
    }

    /**
     * A client has logged in.
     *
     * @param loop the number of the loop that its connection is on
     * @param version of the frames that both speak
     * @param output is handed all that the broker sends
     */
    public SimulatedConnection connect(int loop, long id, String user, int version, SimulatedConnection.Output output) {
        SimulatedConnection c = new SimulatedConnection(engine, loops.get(loop), id, user, version, output);
        connections.add(c);
        return c;
    }

    public BrokerAdmin admin() {
        return admin;
    }

    public Stats stats() {
        return stats;
    }

    /** What a queue holds; null where there is none. */
    public @Nullable Contents queue(String name) {
        return engine.destinations().byText("queue/" + name) instanceof QueueDestination q
                ? contents(q.queue(), null, null)
                : null;
    }

    /** What a durable or shared subscription holds; null where there is none. */
    public @Nullable Contents subscription(@Nullable String clientId, String name, boolean durable) {
        Subscription s = engine.subscriptions().find(new SubscriptionKey(clientId, name, durable));
        return s == null ? null : contents(s.queue, s.topic.name.name(), s.selector);
    }

    /** The subscription as administrators name it; null where there is none. */
    public @Nullable String address(@Nullable String clientId, String name, boolean durable) {
        Subscription s = engine.subscriptions().find(new SubscriptionKey(clientId, name, durable));
        return s == null ? null : s.topic.name + "#" + s.queue.name();
    }

    /** What waits for one consumer's queue or subscription; null where it is not open. */
    public @Nullable Contents consumer(SimulatedConnection connection, int stream, int consumer) {
        MessageQueue q = connection.queue(stream, consumer);
        return q == null ? null : contents(q, null, null);
    }

    /** How many durable and shared subscriptions there are. */
    public int subscriptions() {
        return engine.subscriptions().all().size();
    }

    private static Contents contents(
            MessageQueue q, @Nullable String topic, io.weir.jms.selector.@Nullable Selector selector) {
        List<Waiting> all = new ArrayList<>();
        for (QueueEntry e : q.waiting()) {
            boolean delayed = e.state == QueueEntry.State.DELAYED;
            all.add(new Waiting(
                    body(e.message),
                    e.message.priority(),
                    e.attempt() - 1,
                    e.deliveries,
                    delayed,
                    e.message.persistent(),
                    delayed ? 0 : e.place(),
                    move(e.message.block())));
        }
        return new Contents(all, q.entries().current(), topic, selector == null ? null : selector.toString());
    }

    /** What a message says of its last move: from where, why and when; empty where it was never moved. */
    public static String move(ByteBuf block) {
        MessageView v = new MessageView().wrap(block);
        Object from = v.property(Provenance.FROM);
        return from == null ? "" : from + " " + v.property(Provenance.REASON) + " at " + v.property(Provenance.TIME);
    }

    private static String body(Message m) {
        ByteBuf block = m.block();
        MessageView v = new MessageView().wrap(block);
        return block.toString(v.bodyAt() + 1, v.bodyLength() - 1, StandardCharsets.UTF_8);
    }

    /** Messages that count against quotas, by quota; empty quotas are left out. */
    public Map<String, Long> charged() {
        Map<String, Long> charged = new TreeMap<>();
        for (Quota q : engine.quotas().all().values()) {
            if (q.messages() != 0) {
                charged.put(q.name(), q.messages());
            }
        }
        return charged;
    }

    /** Messages that destinations count and do not hold, by destination. */
    public Map<String, Long> uncounted() {
        Map<String, Long> wrong = new TreeMap<>();
        for (Destination d : engine.destinations().all()) {
            long more = d.counts.messages.current();
            for (MessageQueue q : d.queues()) {
                more -= d instanceof QueueDestination ? q.entries().current() : 0;
            }
            if (more != 0) {
                wrong.put(
                        d + " "
                                + d.queues().stream()
                                        .map(q -> q.name() + "=" + q.entries().current())
                                        .toList(),
                        more);
            }
        }
        return wrong;
    }

    /** Messages that count against memory's bound. */
    public long messagesInMemory() {
        return stats.value(BrokerStats.MEMORY_MESSAGES);
    }

    /** Further queues and subscriptions that refer to them, which count too. */
    public long referencesInMemory() {
        return stats.value(BrokerStats.MEMORY_REFERENCES);
    }

    /** Stops it as the server does; the journal's thread must run by itself meanwhile. */
    public void stop() {
        loseAll();
        upkeep.forEach(LoopMaintenance::stop);
        passed();
        engine.store().close();
        passed();
        forget();
    }

    /** All clients are lost. */
    public void loseAll() {
        connections.forEach(SimulatedConnection::lose);
    }

    /** Lets go of all memory, when nothing of it counts any more. */
    public void forget() {
        upkeep.forEach(LoopMaintenance::stop);
        for (SimulatedLoop loop : loops) {
            loop.on(() -> engine.destinations().abandon(loop));
        }
        passed();
    }

    /** Entries that live in the journal. */
    public long journalEntries() {
        return stats.value(io.weir.journal.settings.JournalStats.LIVE_ENTRIES, BrokerAdmin.JOURNAL);
    }
}
