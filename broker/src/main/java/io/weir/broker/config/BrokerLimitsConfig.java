package io.weir.broker.config;

import io.weir.base.Knob;
import java.time.Duration;

/** Bounds on the resources that connections can make the broker hold. Immutable. */
public record BrokerLimitsConfig(
        @Knob(
                doc = "Sessions of one connection. Raise it when an application that shares a"
                        + " connection is refused; lower it to bound what one client can take. Each"
                        + " session costs the broker memory. Rule of thumb: above the threads of the"
                        + " largest client.",
                value = "1000",
                unit = "sessions",
                min = "1",
                max = "1000000",
                watch = "weir_jms_refused_total",
                dynamic = true)
        int sessionsPerConnection,

        @Knob(
                doc = "Consumers of one session. Raise it when an application with many consumers in a"
                        + " session is refused; lower it to bound what one client can take. Each consumer"
                        + " costs the broker memory and its window of messages. Rule of thumb: the"
                        + " default; a session works for one consumer at a time.",
                value = "1000",
                unit = "consumers",
                min = "1",
                max = "1000000",
                watch = "weir_jms_refused_total",
                dynamic = true)
        int consumersPerSession,

        @Knob(
                doc = "Temporary destinations of one connection. Raise it when an application with a"
                        + " reply queue for each request is refused; lower it to bound what one client can"
                        + " take. Each costs memory until it is deleted or its connection closes. Rule of"
                        + " thumb: one for each requester that shares the connection.",
                value = "1000",
                unit = "destinations",
                min = "0",
                max = "1000000",
                watch = "weir_jms_refused_total",
                dynamic = true)
        int temporaryDestinationsPerConnection,

        @Knob(
                doc = "Durable and shared subscriptions of one topic. Raise it when new subscriptions"
                        + " are refused; lower it to bound what clients can leave behind. Each costs"
                        + " memory, and a reference for each message it accepts. Rule of thumb: twice the"
                        + " known subscribers.",
                value = "10000",
                unit = "subscriptions",
                min = "0",
                max = "1000000",
                watch = "weir_jms_refused_total",
                dynamic = true)
        int subscriptionsPerTopic,

        @Knob(
                doc = "Sends of one session that may wait for room at once; more are refused. Raise it"
                        + " when asynchronous sends are refused in bursts that a quota absorbs soon; lower"
                        + " it when memory is short: each waiting send keeps its message. Rule of thumb:"
                        + " the default.",
                value = "10000",
                unit = "sends",
                min = "1",
                max = "1000000",
                watch = "weir_quota_refused_total",
                dynamic = true)
        int waitingSendsPerSession,

        @Knob(
                doc = "Messages of all destinations together that may be in memory, whatever the quotas allow;"
                        + " further ones wait or are refused like those over a quota. A message in several"
                        + " subscriptions counts a third more for each one after the first. auto is half the"
                        + " heap beyond 20 MiB, at 576 bytes each."
                        + " Raise it together with -Xmx (WEIR_JAVA_OPTS). Rule of thumb: auto.",
                value = "auto",
                auto = true,
                unit = "messages",
                min = "0",
                watch = {"weir_jms_memory_messages", "weir_jms_memory_references", "weir_quota_refused_total"},
                dynamic = true)
        long messagesInMemory,

        @Knob(
                doc = "Bytes of messages (headers, properties and bodies) of all destinations together that may be in"
                        + " memory, whatever the quotas allow. auto is half of the JVM's direct memory, where they are"
                        + " kept."
                        + " Raise it together with -XX:MaxDirectMemorySize (WEIR_JAVA_OPTS). Rule of thumb: auto.",
                value = "auto",
                auto = true,
                unit = "bytes",
                min = "0",
                watch = {"weir_jms_memory_bytes", "weir_quota_refused_total"},
                dynamic = true)
        long bytesInMemory,

        @Knob(
                doc = "Branches of distributed transactions (XA) that may exist at once, of all connections: open ones,"
                        + " prepared ones and those that an operator ended and nobody forgot. Raise it when transactions"
                        + " are refused while their managers work; lower it to bound what clients can leave behind. Each"
                        + " costs memory, and its messages. Rule of thumb: ten times the threads of all clients.",
                value = "10000",
                unit = "branches",
                min = "0",
                max = "1000000",
                watch = {"weir_jms_branches", "weir_jms_branches_prepared"},
                dynamic = true)
        int transactionBranches,

        @Knob(
                doc =
                        "Sends and commits that may wait between two muxers; more are refused as busy. Raise it when bursts"
                                + " are refused while the mailboxes are otherwise short; a mailbox that stays long belongs to a"
                                + " muxer with too much work, and more capacity would only add delay. Each waiting send keeps its"
                                + " message in memory. Rule of thumb: twice the largest burst to the destinations of one muxer.",
                value = "65536",
                unit = "tasks",
                min = "64",
                max = "16777216",
                watch = {"weir_jms_mailbox_length", "weir_jms_mailbox_refused_total"},
                dynamic = true)
        int mailboxCapacity,

        @Knob(
                doc = "A consumer that takes no message for this long while messages wait for it is"
                        + " logged once. Raise it when consumers with long work are logged; lower it to"
                        + " know of a hanging one sooner. It costs nothing. Rule of thumb: several times"
                        + " the longest usual work on a message.",
                value = "30s",
                min = "1s",
                max = "1d",
                watch = "weir_jms_slow_consumers_total",
                dynamic = true)
        Duration slowConsumerTime) {}
