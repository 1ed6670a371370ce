package io.weir.broker;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.LoopSamplers;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.quota.Quota;
import io.weir.broker.session.BrokerEngine;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An engine on a stepped clock with everything that a test wants to look at; queue q and topic t exist. */
final class Bench implements AutoCloseable {
    final TestLoop.Group loops;
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final Live<MessagingConfig> config;
    final BrokerEngine engine;
    private final LoopSamplers samplers;
    private final List<Probe> probes = new ArrayList<>();
    private final List<String> settings;

    Bench(String... settings) {
        this(1, settings);
    }

    Bench(int loopCount, String... settings) {
        this.loops = new TestLoop.Group(loopCount);
        this.settings = new ArrayList<>(List.of("queues.q.jndi-name=", "topics.t.jndi-name="));
        this.settings.addAll(List.of(settings));
        this.config = new Live<>(bind(this.settings));
        this.engine = new BrokerEngine(List.copyOf(loops.loops), config, loops.clock, stats, log);
        this.samplers = new LoopSamplers(engine);
        loops.settle();
    }

    /** What operators see and do. */
    BrokerAdmin admin() {
        return new BrokerAdmin(engine, samplers);
    }

    /** What the first loop does once a second. */
    LoopMaintenance maintenance() {
        return maintenance(loops.loops.getFirst());
    }

    LoopMaintenance maintenance(BrokerLoop loop) {
        return new LoopMaintenance(engine, samplers.of(loop), loop);
    }

    SteppedClock clock() {
        return loops.clock;
    }

    /** Changes knobs while the engine runs. */
    void change(String... more) {
        settings.addAll(List.of(more));
        config.set(bind(settings));
        loops.settle();
    }

    /** Removes what begins so from the configuration while the engine runs. */
    void remove(String prefix) {
        settings.removeIf(s -> s.startsWith(prefix));
        config.set(bind(settings));
        loops.settle();
    }

    void step(long millis) {
        loops.step(Duration.ofMillis(millis));
    }

    /** A client on the first loop, started. */
    Probe client() {
        return client(0, "user");
    }

    Probe client(int loop, String user, String... groups) {
        Probe p = new Probe(this, loop, probes.size() + 1, user, List.of(groups));
        probes.add(p);
        return p;
    }

    static DestinationName queue(String name) {
        return new DestinationName(DestinationKind.QUEUE, name);
    }

    static DestinationName topic(String name) {
        return new DestinationName(DestinationKind.TOPIC, name);
    }

    MessageQueue q() {
        return ((QueueDestination) destination("queue/q")).queue();
    }

    Destination destination(String text) {
        Destination d = engine.destinations().byText(text);
        if (d == null) {
            throw new AssertionError("no " + text);
        }
        return d;
    }

    Quota quota(String name) {
        Quota q = engine.quotas().all().get(name);
        if (q == null) {
            throw new AssertionError("no quota " + name);
        }
        return q;
    }

    /** Drops what is left, so that the leak detector sees what the engine forgot. */
    @Override
    public void close() {
        probes.forEach(Probe::lose);
        for (Destination d : List.copyOf(engine.destinations().all())) {
            ((TestLoop) d.loop).on(() -> engine.destinations().delete(d));
        }
        loops.settle();
        for (Quota q : engine.quotas().all().values()) {
            if (q.messages() != 0 || q.bytes() != 0) {
                throw new AssertionError("quota " + q.name() + " is left with " + q.messages() + " messages");
            }
        }
    }

    static MessagingConfig bind(List<String> settings) {
        return bind(MessagingConfig.class, settings);
    }

    static <T extends Record> T bind(Class<T> type, List<String> settings) {
        ConfigNode.Place here = ConfigNode.Place.of("test");
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(here);
        for (String s : settings) {
            int equals = s.indexOf('=');
            tree = tree.with(s.substring(0, equals), node(here, s.substring(equals + 1)));
        }
        ConfigBinder binder = new ConfigBinder();
        T bound = binder.bind(tree, type);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return bound;
    }

    private static ConfigNode node(ConfigNode.Place here, String text) {
        if (text.startsWith("[")) {
            List<ConfigNode> items = new ArrayList<>();
            for (String item : text.substring(1, text.length() - 1).split(",", -1)) {
                items.add(new ConfigNode.Scalar(here, item));
            }
            return new ConfigNode.Sequence(here, items);
        }
        return new ConfigNode.Scalar(here, text);
    }
}
