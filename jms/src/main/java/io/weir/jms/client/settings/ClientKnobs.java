package io.weir.jms.client.settings;

import io.weir.base.ByteSize;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.Knob;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.Unwatched;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings of a connection factory: the keys of its URL's options, of {@code messaging} in the server's
 * configuration and of {@code WeirConnectionFactory}'s setters. Names and defaults are WebLogic's. Immutable; a
 * connection keeps the knobs it was created with.
 */
public record ClientKnobs(
        @Knob(
                doc =
                        "Messages of an asynchronous session that were sent to the client and not yet passed to the listener;"
                                + " the batch of a synchronous consumer in prefetch mode. More saves round trips and costs client"
                                + " memory, fairness between consumers and latency; what is over it stays on the server."
                                + " -1 is without limit.",
                value = "10",
                unit = "messages",
                min = "-1",
                knownAs = "MessagesMaximum",
                watch = "weir_jms_sessions_window_blocked")
        int messagesMaximum,

        @Knob(
                doc = "The same window in bytes of messages, so that large ones do not fill the client's memory.",
                value = "4MiB",
                min = "1KiB",
                max = "1GiB",
                knownAs = "MessagesMaximum",
                watch = "weir_jms_sessions_window_blocked")
        ByteSize messagesMaximumBytes,

        @Knob(
                doc =
                        "Synchronous consumers fetch batches of messages-maximum. Applies to sessions with a single consumer.",
                value = "disabled",
                knownAs = "SynchronousPrefetchMode",
                unwatched = Unwatched.MEANING)
        PrefetchMode synchronousPrefetchMode,

        @Knob(
                doc = "Non-persistent messages outside transactions are sent without waiting for an answer. Faster; an"
                        + " error is only seen at the next send that waits.",
                value = "disabled",
                knownAs = "OneWaySendMode",
                watch = {"weir_jms_one_way_sends_total", "weir_jms_one_way_dropped_total"})
        OneWaySendMode oneWaySendMode,

        @Knob(
                doc = "Number of one-way messages of a producer of which the last waits for its answer, which"
                        + " throttles the producer and reports errors. 1: each waits.",
                value = "1",
                unit = "messages",
                min = "1",
                max = "1000000",
                knownAs = "OneWaySendWindowSize",
                watch = "weir_jms_one_way_dropped_total")
        int oneWaySendWindowSize,

        @Knob(
                doc =
                        "What Message.acknowledge covers: all messages that the session consumed, or those up to this one.",
                value = "all",
                knownAs = "AcknowledgePolicy",
                unwatched = Unwatched.MEANING)
        AcknowledgePolicy acknowledgePolicy,

        @Knob(
                doc = "Session and connection may be closed within a listener of theirs: they close when it returns."
                        + " Off is what the specification requires (WebLogic's default is on).",
                value = "off",
                knownAs = "AllowCloseInOnMessage",
                unwatched = Unwatched.MEANING)
        boolean allowCloseInOnMessage,

        @Knob(
                doc = "Whether several connections may use one client identifier.",
                value = "restricted",
                knownAs = "ClientIdPolicy",
                unwatched = Unwatched.MEANING)
        ClientIdPolicy clientIdPolicy,

        @Knob(
                doc = "Whether durable subscriptions opened the plain way admit several consumers.",
                value = "exclusive",
                knownAs = "SubscriptionSharingPolicy",
                unwatched = Unwatched.MEANING)
        SubscriptionSharingPolicy subscriptionSharingPolicy,

        @Knob(
                doc = "What is restored after a connection was lost: nothing, producers, or consumers too. A send"
                        + " that was waiting fails in any case: whether it arrived is unknown.",
                value = "producer",
                knownAs = "ReconnectPolicy",
                unwatched = Unwatched.MEANING)
        ReconnectPolicy reconnectPolicy,

        @Knob(
                doc = "How long an operation waits for a lost connection to be restored; 0 fails at once, -1 waits"
                        + " for ever.",
                value = "60000",
                unit = "ms",
                min = "-1",
                knownAs = "ReconnectBlockingMillis",
                unwatched = Unwatched.MEANING)
        long reconnectBlockingMillis,

        @Knob(
                doc = "How long reconnecting after a lost connection is tried; -1 without end.",
                value = "-1",
                unit = "ms",
                min = "-1",
                knownAs = "TotalReconnectPeriodMillis",
                unwatched = Unwatched.MEANING)
        long totalReconnectPeriodMillis,

        @Knob(
                doc = "Delivery mode of producers that set none.",
                value = "persistent",
                knownAs = "DefaultDeliveryMode",
                unwatched = Unwatched.MEANING)
        DefaultDeliveryMode defaultDeliveryMode,

        @Knob(
                doc = "Priority of producers that set none.",
                value = "4",
                min = "0",
                max = "9",
                knownAs = "DefaultPriority",
                unwatched = Unwatched.MEANING)
        int defaultPriority,

        @Knob(
                doc = "Time to live of messages of producers that set none; 0: no expiration.",
                value = "0",
                unit = "ms",
                min = "0",
                knownAs = "DefaultTimeToLive",
                unwatched = Unwatched.MEANING)
        long defaultTimeToLive,

        @Knob(
                doc = "Delivery delay of producers that set none.",
                value = "0",
                unit = "ms",
                min = "0",
                knownAs = "DefaultTimeToDeliver",
                unwatched = Unwatched.MEANING)
        long defaultTimeToDeliver,

        @Knob(
                doc =
                        "How long a message that was rolled back or recovered waits before it is delivered again, where the"
                                + " destination does not override it.",
                value = "0",
                unit = "ms",
                min = "0",
                knownAs = "DefaultRedeliveryDelay",
                watch = "weir_destination_redelivered_total")
        long defaultRedeliveryDelay,

        @Knob(
                doc = "How long a send waits on the server for room under the destination's quota, then it fails with a"
                        + " ResourceAllocationException; 0 does not wait. A longer time throttles producers that are"
                        + " faster than their consumers.",
                value = "10",
                unit = "ms",
                min = "0",
                max = "2147483647",
                knownAs = "SendTimeout",
                watch = {"weir_quota_waits_total", "weir_quota_refused_total"})
        long sendTimeout,

        @Knob(
                doc =
                        "Longest message that this client sends, in bytes as encoded; a longer one fails before it is sent.",
                value = "10MiB",
                min = "1KiB",
                max = "1GiB",
                knownAs = "MaximumMessageSize",
                unwatched = Unwatched.MEANING)
        ByteSize maximumMessageSize,

        @Knob(
                doc = "Threads that run listeners, shared by all connections of the virtual machine whose factories"
                        + " have the same value. A session uses one at a time.",
                value = "32",
                unit = "threads",
                min = "1",
                max = "10000",
                knownAs = "ThreadPoolSize of the client",
                unwatched = Unwatched.MEANING)
        int clientThreadPoolSize,

        @Knob(
                doc = "The connections' client identifier; empty for none.",
                knownAs = "ClientId",
                unwatched = Unwatched.MEANING)
        String clientId,

        @Knob(
                doc =
                        "Classes and packages (com.example.*) that getObject of an ObjectMessage may deserialise, beside plain values and collections of java.lang, java.util, java.math and java.time.",
                unwatched = Unwatched.MEANING)
        List<String> deserializationAllowList,

        @Knob(
                doc =
                        "How long connecting may take, and logging in after it, for each address; then the next one is tried.",
                value = "10000",
                unit = "ms",
                min = "1",
                max = "3600000",
                unwatched = Unwatched.MEANING)
        long connectTimeoutMillis) {

    /** All knobs at their defaults. */
    public static ClientKnobs defaults() {
        return ConfigBinder.defaults(ClientKnobs.class);
    }

    /** The keys of all knobs. */
    public static Set<String> keys() {
        return KnobCatalogue.of(ClientKnobs.class).knobs().stream()
                .map(KnobSpec::key)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** MessagesMaximumBytes as transmitted in frames. */
    public int windowBytes() {
        return (int) Math.min(Integer.MAX_VALUE, messagesMaximumBytes.bytes());
    }

    /**
     * Parses knobs from strings by key ({@code messages-maximum}); absent ones have their defaults. Throws an
     * IllegalArgumentException that lists every unknown key, with the nearest known one, and every wrong value.
     *
     * @param source the source of the strings, for messages
     */
    public static ClientKnobs of(Map<String, String> texts, String source) {
        Place place = Place.of(source);
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(place);
        for (Map.Entry<String, String> e : texts.entrySet()) {
            tree = tree.with(e.getKey(), node(place, e.getKey(), e.getValue()));
        }
        ConfigBinder binder = new ConfigBinder();
        ClientKnobs knobs = binder.bind(tree, ClientKnobs.class);
        if (!binder.problems().isEmpty()) {
            throw new IllegalArgumentException(binder.problems().toString());
        }
        return knobs;
    }

    private static ConfigNode node(Place place, String key, String text) {
        if (!key.equals("deserialization-allow-list")) {
            return new ConfigNode.Scalar(place, text);
        }
        List<ConfigNode> items = List.of(text.split(",", -1)).stream()
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .<ConfigNode>map(s -> new ConfigNode.Scalar(place, s))
                .toList();
        return new ConfigNode.Sequence(place, items);
    }
}
