package io.weir.broker.destination;

import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.JmsServerConfig;
import io.weir.broker.config.PausesConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.QueueContext;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.SendCallback;
import io.weir.broker.quota.Quota;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.DestinationCounts;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.RefusalCode;
import java.util.List;
import java.util.Locale;

/**
 * A queue or topic. One loop owns it: messages arrive and leave on that loop only. State that sessions of other loops
 * read (configuration, quota, pauses) is volatile and replaced as a whole. Shared in that sense; lives until it is
 * deleted.
 */
public abstract class Destination {
    /** The stages that can be paused separately. */
    public enum Stage {
        PRODUCTION,
        INSERTION,
        CONSUMPTION
    }

    public final QueueContext context;
    final DestinationParts parts;
    public final DestinationName name;
    public final BrokerLoop loop;
    public final DestinationCounts counts;
    /** The connection that created a temporary destination; 0 for others. */
    public final long owner;

    private volatile Quota quota;
    private volatile boolean deleted;
    /** It is configured no more: it takes no new messages, and is deleted when it has none. */
    private volatile boolean retired;
    /** What the configuration pauses, as it was applied last. */
    private volatile PausesConfig declaredPauses;

    private volatile boolean productionPaused;
    private volatile boolean insertionPaused;

    public Destination(
            DestinationParts parts, DestinationName name, BrokerLoop loop, DestinationConfig config, long owner) {
        this.parts = parts;
        this.name = name;
        this.loop = loop;
        this.owner = owner;
        this.quota = parts.quotas().of(name, loop, config.quota());
        this.counts = new DestinationCounts(
                parts.stats(), name.kind().temporary() ? DestinationCounts.TEMPORARY : name.toString());
        this.context = new QueueContext(name, loop, counts, parts.services(), config);
        PausesConfig pauses = declared(config);
        this.declaredPauses = pauses;
        this.productionPaused = pauses.production();
        this.insertionPaused = pauses.insertion();
        context.consumptionPaused(pauses.consumption());
    }

    public final DestinationConfig config() {
        return context.config();
    }

    public final Quota quota() {
        return quota;
    }

    public final boolean isDeleted() {
        return deleted;
    }

    public final boolean isPaused(Stage stage) {
        return switch (stage) {
            case PRODUCTION -> productionPaused || retired;
            case INSERTION -> insertionPaused;
            case CONSUMPTION -> context.consumptionPaused();
        };
    }

    /**
     * It is configured no more: it refuses new messages, except those of transactions that it has admitted, dead letters
     * and those that an administrator moves here, and gives out what it has. From any thread.
     */
    final void retire() {
        if (!retired) {
            retired = true;
            parts.services()
                    .log()
                    .log(BrokerMessages.RETIRED, name, counts.messages.current() + counts.uncommittedMessages.get());
            quota.failWaiters(name);
        }
    }

    /** It is configured. Returns whether it was not, until now. From any thread. */
    final boolean back() {
        boolean was = retired;
        retired = false;
        return was;
    }

    public final boolean isRetired() {
        return retired;
    }

    /** Whether it holds no message, not even one of an open transaction. */
    final boolean isEmpty() {
        return counts.messages.current() == 0 && counts.uncommittedMessages.get() == 0;
    }

    final void logDeleted() {
        parts.services().log().log(BrokerMessages.RETIRED_DELETED, name);
    }

    /** Applies a live change of the dynamic settings. From any thread. */
    final void reconfigure(DestinationConfig next) {
        context.config(next);
        Quota old = quota;
        quota = parts.quotas().of(name, loop, next.quota());
        if (old != quota) {
            old.failWaiters(name);
        }
        loop.run(this::dispatch);
    }

    /**
     * Applies what the configuration pauses, of all destinations or of this one, where it is not what it was. A stage
     * that an operator has paused or resumed stays so until the configuration changes it. From any thread.
     */
    final void followPauses() {
        PausesConfig before = declaredPauses;
        PausesConfig now = declared(config());
        declaredPauses = now;
        if (now.production() != before.production()) {
            pause(Stage.PRODUCTION, now.production());
        }
        if (now.insertion() != before.insertion()) {
            pause(Stage.INSERTION, now.insertion());
        }
        if (now.consumption() != before.consumption()) {
            pause(Stage.CONSUMPTION, now.consumption());
        }
    }

    private PausesConfig declared(DestinationConfig c) {
        PausesConfig server = server().paused();
        return new PausesConfig(
                c.paused().production() || server.production(),
                c.paused().insertion() || server.insertion(),
                c.paused().consumption() || server.consumption());
    }

    private JmsServerConfig server() {
        return parts.services().config().get().jmsServer();
    }

    /** Pauses or resumes a stage. From any thread. */
    public final void pause(Stage stage, boolean paused) {
        switch (stage) {
            case PRODUCTION -> productionPaused = paused;
            case INSERTION -> insertionPaused = paused;
            case CONSUMPTION -> context.consumptionPaused(paused);
        }
        parts.services()
                .log()
                .log(
                        paused ? BrokerMessages.PAUSED : BrokerMessages.RESUMED,
                        stage.name().toLowerCase(Locale.ROOT),
                        name);
        loop.run(this::dispatch);
    }

    /**
     * Checks whether a message can be sent here now, apart from the quota.
     *
     * @throws Refusal if not, with the reason
     */
    public final void admit(int size) throws RequestRefusal {
        if (deleted) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION, name + " was deleted: look the destination up again");
        }
        if (retired) {
            throw new RequestRefusal(
                    RefusalCode.INVALID_DESTINATION,
                    name + " was removed from the configuration: it only gives out the messages that it has");
        }
        if (productionPaused) {
            throw new RequestRefusal(
                    RefusalCode.ILLEGAL_STATE,
                    "production of " + name + " is paused by the administrator: send again when it is resumed");
        }
        int most = Math.min(config().maximumMessageSize(), server().maximumMessageSize());
        if (size > most) {
            throw new RequestRefusal(
                    RefusalCode.MESSAGE_TOO_LARGE,
                    "a message of " + size + " bytes for " + name + ", which takes " + most
                            + ": send less, or raise maximum-message-size");
        }
    }

    /** Checks that messages of transactions can be inserted. */
    public final void admitInsertion() throws RequestRefusal {
        if (deleted || insertionPaused) {
            throw new RequestRefusal(
                    RefusalCode.ILLEGAL_STATE,
                    deleted ? name + " was deleted" : "insertion into " + name + " is paused by the administrator");
        }
    }

    /** The kinds of access that are checked. */
    public enum Access {
        SEND,
        RECEIVE,
        BROWSE
    }

    /** Checks a user's access against the configured lists; an empty list allows everyone. */
    public final void authorise(Access what, String user, List<String> groups) throws RequestRefusal {
        List<String> allowed = switch (what) {
            case SEND -> config().access().send();
            case RECEIVE -> config().access().receive();
            case BROWSE -> config().access().browse();
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
        throw new RequestRefusal(
                RefusalCode.SECURITY,
                "user " + user + " may not " + word + (what == Access.SEND ? " to " : " from ") + name
                        + ": ask the administrator for the right (access." + word + ")");
    }

    /**
     * Marks it deleted. On its loop.
     *
     * @param forGood whether no other destination has its name by now: its figures and its own quota are removed with
     * it
     */
    final void markDeleted(boolean forGood) {
        deleted = true;
        if (owner == 0 && forGood) {
            counts.withdraw();
            parts.quotas().forget(name, quota);
        }
    }

    /** Takes ownership of a message, or refuses it if the destination has been deleted. On its loop. */
    public final void acceptUnlessDeleted(Message m, SendCallback sent) {
        if (deleted) {
            m.discard();
            sent.done(wasDeleted());
        } else {
            accept(m, sent);
        }
    }

    /** The refusal of messages sent after the deletion. */
    public final RequestRefusal wasDeleted() {
        return new RequestRefusal(RefusalCode.INVALID_DESTINATION, name + " was deleted");
    }

    /**
     * Takes ownership of a message and routes it to its queues. On its loop.
     *
     * @param sent called when a persistent message is durable; null to ignore the outcome
     */
    public abstract void accept(Message m, SendCallback sent);

    /** The number of queues and subscriptions that can hold a message in addition to the first. From any thread. */
    public abstract int further();

    /**
     * Finds the queues that take a message and creates its entries, not yet visible; {@link #received} follows when they
     * are committed. On its loop.
     *
     * @param delivered whether it may have been delivered at its previous destination
     */
    public abstract List<QueueEntry> route(Message m, boolean delivered);

    /**
     * The number of queues that take a message; 0 if none of them stores it as its delivery mode requires. On its loop.
     */
    public abstract int takers(Message m, boolean delivered);

    /** Its queues: one for a queue, one per subscription for a topic. On its loop. */
    public abstract List<MessageQueue> queues();

    /** Delivers messages that can be delivered. On its loop. */
    final void dispatch() {
        for (MessageQueue q : queues()) {
            q.dispatch();
        }
    }

    /** A message arrived. On its loop. */
    final void arrived(Message m) {
        counts.arrived(m.size());
    }

    /** A message is there that its sender may still be refused. On its loop. */
    final void arriving(Message m) {
        counts.arriving(m.size());
    }

    /** A message that {@link #route} took is committed. On its loop. */
    public final void received(Message m) {
        counts.received(m.size());
    }

    /** A message of an earlier run was found that a prepared transaction sends. On its loop. */
    public final void recoveredPending(Message m) {
        counts.arriving(m.size());
    }

    /** A message of an earlier run was recovered. On its loop. */
    public final void recovered(Message m) {
        counts.recovered(m.size());
    }

    /** A message's last reference was released. On its loop. */
    final void left(Message m) {
        counts.left(m.size());
    }

    @Override
    public final String toString() {
        return name.toString();
    }
}
