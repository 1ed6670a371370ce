package io.weir.broker.quota;

import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.config.JmsServerConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.config.QuotaConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.BrokerMessages;
import io.weir.jms.frames.DestinationName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The quotas by name: one for all destinations that share it, a copy for each destination that uses it as a template,
 * and the server's for destinations without a quota. Shared.
 */
public final class Quotas {
    /** The name of the server's quota. */
    static final String SERVER = "server";

    private final BrokerLoop shared;
    private final Live<MessagingConfig> config;
    private final Log log;
    private final Stats stats;
    private final Map<String, Quota> all = new ConcurrentHashMap<>();
    private final MessageMemory memory;

    /** @param shared the home loop of quotas that several destinations share, on which requests wait */
    public Quotas(BrokerLoop shared, Live<MessagingConfig> config, Stats stats, Log log) {
        this.shared = shared;
        this.config = config;
        this.log = log;
        this.stats = stats;
        this.memory = new MessageMemory(
                config.get().limits(), stats, log, () -> all.values().forEach(Quota::wake));
        all.put(SERVER, new Quota(SERVER, server(config.get().jmsServer()), shared, stats, memory));
    }

    /** The quota that a destination's messages count against. */
    public Quota of(DestinationName d, BrokerLoop home, String name) {
        QuotaConfig c = name.isEmpty() ? null : config.get().quotas().get(name);
        if (c == null) {
            if (!name.isEmpty()) {
                log.log(BrokerMessages.NO_QUOTA, d, name);
            }
            return server();
        }
        String key = c.shared() ? name : name + "/" + d;
        BrokerLoop waitsOn = c.shared() ? shared : home;
        return all.computeIfAbsent(key, k -> new Quota(k, bounds(c), waitsOn, stats, memory));
    }

    /** Removes a deleted destination's own copy of a quota. */
    public void forget(DestinationName d, Quota q) {
        if (q.name().endsWith("/" + d) && all.remove(q.name(), q)) {
            q.withdraw();
        }
    }

    /** The quota of destinations without a configured one. */
    Quota server() {
        Quota q = all.get(SERVER);
        if (q == null) {
            throw new IllegalStateException("the server's quota is missing");
        }
        return q;
    }

    /** The memory bound on the messages of all quotas together. */
    public MessageMemory memory() {
        return memory;
    }

    /** By name, for monitoring. */
    public Map<String, Quota> all() {
        return all;
    }

    /** Applies the bounds of a live change; a quota that is configured no more goes when nothing counts against it. */
    public void reconfigure(MessagingConfig config) {
        memory.configure(config.limits());
        server().bounds(server(config.jmsServer()));
        all.forEach((key, quota) -> {
            if (!key.equals(SERVER)) {
                reconfigure(key, quota, config);
            }
        });
    }

    private void reconfigure(String key, Quota quota, MessagingConfig config) {
        int slash = key.indexOf('/');
        QuotaConfig c = config.quotas().get(slash < 0 ? key : key.substring(0, slash));
        if (c != null) {
            quota.bounds(bounds(c));
        } else if (quota.messages() == 0 && all.remove(key, quota)) {
            quota.withdraw();
        }
    }

    private static Quota.Bounds bounds(QuotaConfig c) {
        return new Quota.Bounds(c.messagesMaximum(), c.bytesMaximum(), c.policy());
    }

    private static Quota.Bounds server(JmsServerConfig c) {
        return new Quota.Bounds(c.messagesMaximum(), c.bytesMaximum(), c.blockingSendPolicy());
    }
}
