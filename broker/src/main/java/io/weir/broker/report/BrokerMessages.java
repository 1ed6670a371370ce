package io.weir.broker.report;

import io.weir.base.DeclaredMessage;
import io.weir.base.Severity;

/** Messaging's part of the message catalogue; numbers are BEA's where WebLogic says the same. */
public enum BrokerMessages implements DeclaredMessage {
    STARTED(40321, Severity.INFO, "JMS", "Messaging is started: {} queues, {} topics, {} messages recovered", ""),
    STOPPED(40322, Severity.INFO, "JMS", "Messaging is shut down", ""),
    SLOW_CONSUMER(
            40480,
            Severity.WARNING,
            "JMS",
            "Consumer {} of {} took nothing for {} while {} messages wait for it",
            "Look at what its listener does; raise messages-maximum when it is far away; others are not held up by it."),
    EXPIRED(40481, Severity.NOTICE, "JMS", "Message {} of {} expired and was removed: {}", ""),
    REDELIVERY_LIMIT(
            40482,
            Severity.WARNING,
            "JMS",
            "Message {} of {} was delivered {} times without success and goes to {}",
            "Look at the message there and at what its consumer reported; redelivery-limit says how often is tried."),
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
            "{} names the quota {}, which does not exist: the server's quota counts",
            "Configure it under messaging.quotas, or correct the destination's quota."),
    NO_STORE(
            40485,
            Severity.WARNING,
            "JMS",
            "Persistent messages are {}: there is no store",
            "Set messaging.jms-server.store-enabled, or see why the store did not open."),
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
            "Configure the destination again to have them, or delete them."),
    MAILBOX_FULL(
            40488,
            Severity.WARNING,
            "JMS",
            "The mailbox of muxer {} is full at {}: sends are refused",
            "The machine is overloaded; raise limits.mailbox-capacity only for short bursts."),
    PAUSED(40489, Severity.NOTICE, "JMS", "{} of {} is paused", ""),
    RESUMED(40490, Severity.NOTICE, "JMS", "{} of {} is resumed", ""),
    ENGINE_ERROR(
            40491,
            Severity.ERROR,
            "JMS",
            "Uncaught error in {}: {}",
            "This is a fault of Weir: please report it with this line."),
    MEMORY(40492, Severity.FINE, "JMS", "Memory holds up to {} messages and {} bytes of them", ""),
    MEMORY_FULL(
            40493,
            Severity.WARNING,
            "JMS",
            "Memory is full of messages: {} with {} further references, of {}, and {} bytes of {}; sends wait and are"
                    + " refused",
            "See which destinations hold them (./weir jms stats) and why nobody consumes; give destinations quotas; give the"
                    + " JVM more memory (-Xmx, -XX:MaxDirectMemorySize)."),
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
            "{} messages in the store belong to no subscription: they are kept, since the store is damaged and theirs may be lost",
            "./weir jms damage lists what was lost. Once it is acknowledged the next start removes them."),
    RECOVERING(40496, Severity.NOTICE, "JMS", "{} of {} stored messages are back in their queues", ""),
    MOVED_UNTOLD(
            40498,
            Severity.WARNING,
            "JMS",
            "Message {} of {} goes to {} without the properties that say so: with them it has {} bytes, the most is {} ({})",
            "Nothing is lost. Raise messaging.wire.max-frame, or messaging.journal.max-group-size, above the largest message by"
                    + " 1 KiB and more."),
    NOBODY_TAKES(
            40499,
            Severity.WARNING,
            "JMS",
            "Messages of {} go to its error destination {}, but no subscription there takes them and keeps them: they stay,"
                    + " and it is tried again",
            "Subscribe to that topic, durably for persistent messages and with a selector that takes them, or make"
                    + " delivery-failure.error-destination a queue."),
    NO_ROOM(
            40500,
            Severity.WARNING,
            "JMS",
            "Messages of {} go to {}, but memory has no room for what that makes of them: they stay, and it is tried again",
            "Each subscription of a topic refers to each message. Have messages consumed, unsubscribe who does not come back, raise -Xmx"
                    + " or messaging.limits.messages-in-memory (of messages that subscriptions shared, -XX:MaxDirectMemorySize or"
                    + " messaging.limits.bytes-in-memory), or make delivery-failure.error-destination a queue."),
    STORED_SELECTOR(
            40497,
            Severity.WARNING,
            "JMS",
            "Subscription {} has a selector that is refused by now: {}. It is kept with its messages and goes on as before",
            "Its client may go on with the same selector. To be rid of this message, correct it: a subscription with another"
                    + " selector begins anew, so consume what this one holds before.");

    private final Said said;

    BrokerMessages(int id, Severity severity, String subsystem, String text, String remedy) {
        this.said = new Said(id, severity, subsystem, text, remedy);
    }

    @Override
    public Said said() {
        return said;
    }
}
