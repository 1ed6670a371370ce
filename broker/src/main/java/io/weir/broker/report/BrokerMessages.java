package io.weir.broker.report;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** Messaging's part of the message catalogue. A message that WebLogic has too keeps its BEA number. */
public enum BrokerMessages implements DeclaredMessage {
    STARTED(40321, Severity.INFO, "JMS", "Messaging is started: {} queues, {} topics, {} messages recovered", ""),
    STOPPED(40322, Severity.INFO, "JMS", "Messaging is shut down", ""),
    SLOW_CONSUMER(
            40480,
            Severity.WARNING,
            "JMS",
            "Consumer {} of {} took no message for {} while {} messages wait for it",
            "Check what its listener does; raise messages-maximum if its round trip is long. Other consumers are not"
                    + " held up by it."),
    EXPIRED(40481, Severity.NOTICE, "JMS", "Message {} of {} expired and was removed: {}", ""),
    REDELIVERY_LIMIT(
            40482,
            Severity.WARNING,
            "JMS",
            "Message {} of {} was delivered {} times without success and goes to {}",
            "Look at the message there and at what its consumer reported; redelivery-limit sets how often delivery is"
                    + " tried."),
    NO_ERROR_DESTINATION(
            40483,
            Severity.WARNING,
            "JMS",
            "{} has the error destination {}, which does not exist: messages over the limit are discarded",
            "Configure that destination, or correct delivery-failure.error-destination."),
    NO_QUOTA(
            40484,
            Severity.WARNING,
            "JMS",
            "{} names the quota {}, which does not exist: the server's quota applies",
            "Configure it under messaging.quotas, or correct the destination's quota."),
    NO_STORE(
            40485,
            Severity.WARNING,
            "JMS",
            "Persistent messages are {}: there is no store",
            "Set messaging.jms-server.store-enabled, or find out why the store did not open."),
    STORE_FAILED(
            40486,
            Severity.ERROR,
            "JMS",
            "A persistent operation on {} failed: {}",
            "See the journal's messages: a full or failing disk. Nothing unsafe was acknowledged."),
    UNKNOWN_DESTINATION(
            40487,
            Severity.WARNING,
            "JMS",
            "The store holds {} messages of {}, which is not configured: they are kept and not delivered",
            "Configure the destination again and restart the server to consume them."),
    MAILBOX_FULL(
            40488,
            Severity.WARNING,
            "JMS",
            "The mailbox of muxer {} is full at {}: sends are refused",
            "The machine is overloaded; raising limits.mailbox-capacity helps only with short bursts."),
    PAUSED(40489, Severity.NOTICE, "JMS", "{} of {} is paused", ""),
    RESUMED(40490, Severity.NOTICE, "JMS", "{} of {} is resumed", ""),
    ENGINE_ERROR(
            40491,
            Severity.ERROR,
            "JMS",
            "Uncaught error in {}: {}",
            "This is a bug in Weir: please report it with this line."),
    MEMORY(40492, Severity.FINE, "JMS", "Memory holds up to {} messages and {} bytes of them", ""),
    MEMORY_FULL(
            40493,
            Severity.WARNING,
            "JMS",
            "Memory is full of messages: {} with {} further references, of {}, and {} bytes of {}; sends wait or are"
                    + " refused",
            "See which destinations hold them (./weir jms stats) and why they are not consumed; give destinations"
                    + " quotas; give the JVM more memory (-Xmx, -XX:MaxDirectMemorySize)."),
    ORPHANS(
            40494,
            Severity.NOTICE,
            "JMS",
            "{} messages of subscriptions that were deleted or got another selector are removed from the store",
            ""),
    ORPHANS_KEPT(
            40495,
            Severity.WARNING,
            "JMS",
            "{} messages in the store belong to no subscription: they are kept because the store is damaged and their"
                    + " subscription may be lost",
            "./weir jms damage lists what was lost. Once it is acknowledged the next start removes them."),
    RECOVERING(40496, Severity.NOTICE, "JMS", "{} of {} stored messages are back in their queues", ""),
    MOVED_WITHOUT_PROVENANCE(
            40498,
            Severity.WARNING,
            "JMS",
            "Message {} of {} goes to {} without the properties that record the redirection: with them it has {} bytes,"
                    + " the maximum is {} ({})",
            "Nothing is lost. Raise messaging.wire.max-frame, or messaging.journal.max-group-size, above the largest message by"
                    + " 1 KiB and more."),
    NO_TAKER(
            40499,
            Severity.WARNING,
            "JMS",
            "Messages of {} go to its error destination {}, but no subscription there accepts and stores them: they"
                    + " stay, and the move is retried",
            "Subscribe to that topic, durably for persistent messages and with a selector that takes them, or make"
                    + " delivery-failure.error-destination a queue."),
    NO_ROOM(
            40500,
            Severity.WARNING,
            "JMS",
            "Messages of {} go to {}, but memory has no room for the subscriptions' references: they stay, and the move"
                    + " is retried",
            "Each subscription of a topic refers to each message. Have messages consumed, delete subscriptions whose"
                    + " consumers do not return, raise -Xmx or messaging.limits.messages-in-memory (of messages that"
                    + " subscriptions shared, -XX:MaxDirectMemorySize or messaging.limits.bytes-in-memory), or make"
                    + " delivery-failure.error-destination a queue."),
    RETIRED(
            40501,
            Severity.NOTICE,
            "JMS",
            "{} was removed from the configuration: it takes no messages any more, and is deleted when it is empty"
                    + " (messages now: {}) and no durable subscription and no error destination needs it",
            "./weir jms stats shows them; ./weir jms move and delete take them away. A stop before that keeps the"
                    + " persistent ones in the store, for the time when it is configured again."),
    RETIRED_DELETED(40502, Severity.NOTICE, "JMS", "{} is empty and deleted: it is configured no more", ""),
    FROM_THE_NEXT_START(
            40503,
            Severity.WARNING,
            "JMS",
            "{} is configured, but exists only from the next start: the store has subscriptions of it, of an earlier start",
            "Restart the server: the subscriptions and their messages are back then."),
    BRANCHES_IN_DOUBT(
            40504,
            Severity.NOTICE,
            "JMS",
            "{} transactions are in doubt: prepared in an earlier start, and neither committed nor rolled back",
            "Start their applications: the transaction managers recover them. ./weir jms transactions lists them."),
    BRANCH_COMMITTED(
            40505,
            Severity.WARNING,
            "JMS",
            "An operator commits transaction {} of user {}: {} messages sent, {} consumed",
            "Compare with the other resources of the transaction. Its transaction manager is told when it asks."),
    BRANCH_ROLLED_BACK(
            40506,
            Severity.WARNING,
            "JMS",
            "An operator rolls back transaction {} of user {}: {} messages sent, {} consumed",
            "Compare with the other resources of the transaction. Its transaction manager is told when it asks."),
    STORED_SELECTOR(
            40497,
            Severity.WARNING,
            "JMS",
            "Subscription {} has a selector that is no longer accepted: {}. It is kept with its messages and works as"
                    + " before",
            "Its client can keep using the same selector. To get rid of this message, correct the selector: that starts"
                    + " a new subscription, so consume the messages of this one before.");

    private final Declaration declaration;

    BrokerMessages(int id, Severity severity, String subsystem, String text, String remedy) {
        this.declaration = new Declaration(id, severity, subsystem, text, remedy);
    }

    @Override
    public Declaration declaration() {
        return declaration;
    }
}
