package io.weir.broker;

import io.weir.base.Stats;
import io.weir.broker.config.JmsServerConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.config.QuotaConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The quotas by name: one for all destinations that share it, a copy for each that takes it as a template, and the
 * server's for those without. Shared.
 */
final class Quotas {
    /** The name of the server's quota. */
    static final String SERVER = "server";

    private final Engine engine;
    private final Stats stats;
    private final Map<String, Quota> all = new ConcurrentHashMap<>();
    private final Memory memory;

    Quotas(Engine engine, Stats stats) {
        this.engine = engine;
        this.stats = stats;
        this.memory = new Memory(
                engine.config().limits(),
                stats,
                engine.log(),
                () -> all.values().forEach(Quota::wake));
        all.put(
                SERVER,
                new Quota(
                        SERVER,
                        server(engine.config().jmsServer()),
                        engine.loops().getFirst(),
                        stats,
                        memory));
    }

    /** The quota that a destination's messages count against. */
    Quota of(Destination d, String name) {
        QuotaConfig c = name.isEmpty() ? null : engine.config().quotas().get(name);
        if (c == null) {
            if (!name.isEmpty()) {
                engine.log().log(BrokerMessages.NO_QUOTA, d.name, name);
            }
            return server();
        }
        String key = c.shared() ? name : name + "/" + d.name;
        Loop home = c.shared() ? engine.loops().getFirst() : d.loop;
        return all.computeIfAbsent(key, k -> new Quota(k, bounds(c), home, stats, memory));
    }

    /** A destination is deleted: its own copy of a quota goes with it. */
    void forget(Destination d) {
        Quota q = d.quota();
        if (q.name().endsWith("/" + d.name) && all.remove(q.name(), q)) {
            q.withdraw();
        }
    }

    /** The quota of destinations that name none. */
    Quota server() {
        Quota q = all.get(SERVER);
        if (q == null) {
            throw new IllegalStateException("the server's quota is missing");
        }
        return q;
    }

    /** What all of them take together. */
    Memory memory() {
        return memory;
    }

    /** By name, for monitoring. */
    Map<String, Quota> all() {
        return all;
    }

    /** New bounds from a live change. */
    void reconfigure(MessagingConfig config) {
        memory.configure(config.limits());
        server().bounds(server(config.jmsServer()));
        all.forEach((key, quota) -> {
            int slash = key.indexOf('/');
            QuotaConfig c = config.quotas().get(slash < 0 ? key : key.substring(0, slash));
            if (c != null && !key.equals(SERVER)) {
                quota.bounds(bounds(c));
            }
        });
    }

    private static Quota.Bounds bounds(QuotaConfig c) {
        return new Quota.Bounds(c.messagesMaximum(), c.bytesMaximum(), c.policy());
    }

    private static Quota.Bounds server(JmsServerConfig c) {
        return new Quota.Bounds(c.messagesMaximum(), c.bytesMaximum(), c.blockingSendPolicy());
    }
}
