package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.Objects;

/** An entry of {@code messaging.queues} or {@code messaging.topics}. Immutable; swapped whole by a live change. */
public record DestinationConfig(
        @Knob(
                doc = "Name under which clients look it up; empty: queue/ or topic/ followed by its name.",
                knownAs = "JNDIName",
                unwatched = Unwatched.NAME)
        String jndiName,

        @Knob(
                doc = "Quota that bounds it, by name; empty: the server's quota.",
                watch = "weir_quota_messages",
                dynamic = true,
                knownAs = "Quota")
        String quota,

        @Knob(
                doc = "Largest message (header, properties and body) that is accepted."
                        + " Rule of thumb: the largest regular message, twice.",
                value = "2147483647",
                unit = "bytes",
                min = "0",
                max = "2147483647",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "MaximumMessageSize")
        int maximumMessageSize,

        @Knob(
                doc = "Topics: messages that each subscription may hold; -1 no limit of its own. At the limit the first"
                        + " messages that are not at a consumer are deleted to make room for new ones."
                        + " Rule of thumb: what a slow subscriber can still use, such as the newest 1,000 prices.",
                value = "-1",
                unit = "messages",
                min = "-1",
                watch = "weir_destination_overrun_total",
                dynamic = true,
                knownAs = "MessagesLimitOverride")
        long messagesLimit,

        @Knob(
                doc = "Whether messages without a unit of order of their own (JMS_BEA_UnitOfOrder) are in one unit"
                        + " together: one consumer at a time processes them, strictly in the order of arrival, through"
                        + " rollbacks and redelivery delays. Applies to messages that arrive from then on. Rule of thumb:"
                        + " off, and units that producers name, which other consumers process meanwhile.",
                value = "off",
                dynamic = true,
                knownAs = "DefaultUnitOfOrder",
                unwatched = Unwatched.MEANING)
        boolean defaultUnitOfOrder,

        @Knob(
                doc = "How long WebLogic batches messages before it delivers them to a consumer. Accepted for"
                        + " compatibility of configurations; Weir always delivers available messages at once, as with"
                        + " 25.",
                value = "25",
                min = "0",
                max = "100",
                dynamic = true,
                knownAs = "MessagingPerformancePreference",
                unwatched = Unwatched.MEANING)
        int messagingPerformancePreference,

        @Knob(doc = "Values that override those of the producers.")
        OverridesConfig overrides,

        @Knob(doc = "Redelivery, expiry and the error destination.")
        DeliveryFailureConfig deliveryFailure,

        @Knob(doc = "What is paused.") PausesConfig paused,
        @Knob(doc = "Who may use it.") AccessConfig access) {
    public DestinationConfig {
        // empty if not configured
        jndiName = Objects.requireNonNullElse(jndiName, "");
        quota = Objects.requireNonNullElse(quota, "");
    }
}
