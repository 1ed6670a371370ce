package io.weir.broker;

import io.weir.broker.config.DestinationConfig;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.RefusalCode;
import java.util.List;

/**
 * A queue or topic. One loop owns it: messages arrive and leave on that loop only. What is read by sessions of other loops
 * (configuration, quota, pauses) is swapped whole. Shared in that sense; lives until it is deleted.
 */
abstract class Destination {
    /** What may be paused by itself. */
    enum Stage {
        PRODUCTION,
        INSERTION,
        CONSUMPTION
    }

    final Engine engine;
    final DestinationName name;
    final Loop loop;
    final DestinationCounts counts;
    /** The connection that made a temporary destination; 0 for others. */
    final long owner;

    private volatile DestinationConfig config;
    private volatile Quota quota;
    private volatile boolean deleted;
    private volatile boolean productionPaused;
    private volatile boolean insertionPaused;
    private volatile boolean consumptionPaused;

    Destination(Engine engine, DestinationName name, Loop loop, DestinationConfig config, long owner) {
        this.engine = engine;
        this.name = name;
        this.loop = loop;
        this.owner = owner;
        this.config = config;
        this.quota = engine.quotas().of(this, config.quota());
        this.counts = new DestinationCounts(
                engine.stats(), name.kind().temporary() ? DestinationCounts.TEMPORARY : name.toString());
        pauses(config);
    }

    final DestinationConfig config() {
        return config;
    }

    final Quota quota() {
        return quota;
    }

    final boolean isDeleted() {
        return deleted;
    }

    final boolean isPaused(Stage stage) {
        return switch (stage) {
            case PRODUCTION -> productionPaused;
            case INSERTION -> insertionPaused;
            case CONSUMPTION -> consumptionPaused;
        };
    }

    /** A live change: what is dynamic counts from now on. From any thread. */
    final void reconfigure(DestinationConfig next) {
        DestinationConfig before = config;
        config = next;
        Quota old = quota;
        quota = engine.quotas().of(this, next.quota());
        if (old != quota) {
            old.failWaiters();
        }
        if (!before.paused().equals(next.paused())) {
            pauses(next);
        }
        loop.run(this::dispatch);
    }

    private void pauses(DestinationConfig c) {
        var server = engine.config().jmsServer().paused();
        productionPaused = c.paused().production() || server.production();
        insertionPaused = c.paused().insertion() || server.insertion();
        consumptionPaused = c.paused().consumption() || server.consumption();
    }

    /** Pauses or resumes a stage. From any thread. */
    final void pause(Stage stage, boolean paused) {
        switch (stage) {
            case PRODUCTION -> productionPaused = paused;
            case INSERTION -> insertionPaused = paused;
            case CONSUMPTION -> consumptionPaused = paused;
        }
        engine.log().log(paused ? BrokerMessages.PAUSED : BrokerMessages.RESUMED, stage, name);
        loop.run(this::dispatch);
    }

    /**
     * Whether a message may be sent here now, but for the quota.
     *
     * @throws Refusal when not, with the reason
     */
    final void admit(int size) throws Refusal {
        if (deleted) {
            throw new Refusal(RefusalCode.INVALID_DESTINATION, name + " was deleted: look the destination up again");
        }
        if (productionPaused) {
            throw new Refusal(
                    RefusalCode.ILLEGAL_STATE,
                    "production of " + name + " is paused by the administrator: send again when it is resumed");
        }
        int most = Math.min(
                config.maximumMessageSize(), engine.config().jmsServer().maximumMessageSize());
        if (size > most) {
            throw new Refusal(
                    RefusalCode.MESSAGE_TOO_LARGE,
                    "a message of " + size + " bytes for " + name + ", which takes " + most
                            + ": send less, or raise maximum-message-size");
        }
    }

    /** Checks that nothing keeps messages of transactions from being inserted. */
    final void admitInsertion() throws Refusal {
        if (deleted || insertionPaused) {
            throw new Refusal(
                    RefusalCode.ILLEGAL_STATE,
                    deleted ? name + " was deleted" : "insertion into " + name + " is paused by the administrator");
        }
    }

    /** What a user wants to do with it. */
    enum Access {
        SEND,
        RECEIVE,
        BROWSE
    }

    /** Checks a user's right by the configured lists; an empty list lets everybody. */
    final void authorise(Access what, String user, List<String> groups) throws Refusal {
        List<String> allowed = switch (what) {
            case SEND -> config.access().send();
            case RECEIVE -> config.access().receive();
            case BROWSE -> config.access().browse();
        };
        if (allowed.isEmpty() || allowed.contains(user)) {
            return;
        }
        for (String g : groups) {
            if (allowed.contains(g)) {
                return;
            }
        }
        String word = what.name().toLowerCase(java.util.Locale.ROOT);
        throw new Refusal(
                RefusalCode.SECURITY,
                "user " + user + " may not " + word + (what == Access.SEND ? " to " : " from ") + name
                        + ": ask the administrator for the right (access." + word + ")");
    }

    /** Marks it deleted. On its loop. */
    final void markDeleted() {
        deleted = true;
        if (owner != 0) {
            engine.census(loop).gone(this);
        } else if (engine.destinations().find(name) == null) {
            counts.withdraw();
            engine.quotas().forget(this);
        }
    }

    /**
     * Takes a message over and hands it on. On its loop.
     *
     * @param sent told when a persistent message is safe; null for who does not care
     */
    abstract void accept(Message m, Sent sent);

    /** Queues and subscriptions that a message may be in beside the first. From any thread. */
    abstract int further();

    /**
     * Finds the queues that take a message and makes its entries, not yet visible. On its loop.
     *
     * @param delivered whether it may have been delivered where it came from
     */
    abstract List<Entry> route(Message m, boolean delivered);

    /** How many queues take a message; 0 where none of them keeps it as safe as it asks for. On its loop. */
    abstract int takers(Message m, boolean delivered);

    /** Its queues: itself, or a topic's subscriptions. On its loop. */
    abstract List<MessageQueue> queues();

    /** Delivers what can be delivered. On its loop. */
    final void dispatch() {
        for (MessageQueue q : queues()) {
            q.dispatch();
        }
    }

    /** A message arrived. On its loop. */
    final void arrived(Message m) {
        counts.messages.add(1);
        counts.bytes.add(m.size());
    }

    /** A message's last reference is gone. On its loop. */
    final void left(Message m) {
        counts.messages.subtract(1);
        counts.bytes.subtract(m.size());
    }

    @Override
    public final String toString() {
        return name.toString();
    }
}
