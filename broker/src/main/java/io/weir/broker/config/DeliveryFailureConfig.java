package io.weir.broker.config;

import io.weir.base.Knob;
import java.util.Objects;

/** Handling of messages that cannot be delivered (WebLogic's DeliveryFailureParams). Immutable. */
public record DeliveryFailureConfig(
        @Knob(
                doc = "Deliveries after which a message goes to the error destination, or is discarded without one; -1"
                        + " no limit. A limit keeps a message that always fails from blocking the others."
                        + " Rule of thumb: 5, with an error destination.",
                value = "-1",
                unit = "redeliveries",
                min = "-1",
                watch = {"weir_destination_redelivered_total", "weir_destination_failed_total"},
                dynamic = true,
                knownAs = "RedeliveryLimit")
        int redeliveryLimit,

        @Knob(
                doc = "Milliseconds between a rollback or recover and the redelivery of a message; -1 and 0 at once."
                        + " Messages behind it are delivered in the meantime."
                        + " Rule of thumb: the time in which what failed recovers, such as a second.",
                value = "-1",
                unit = "milliseconds",
                min = "-1",
                watch = "weir_destination_redelivered_total",
                dynamic = true,
                knownAs = "RedeliveryDelay override")
        long redeliveryDelay,

        @Knob(
                doc = "What happens to an expired message: discard, log (discard and log its header) or redirect to the"
                        + " error destination.",
                value = "discard",
                watch = "weir_destination_expired_total",
                dynamic = true,
                knownAs = "ExpirationPolicy")
        ExpirationPolicy expirationPolicy,

        @Knob(
                doc = "Queue or topic that takes messages over the redelivery limit and, with expiration-policy"
                        + " redirect, expired ones: queue/name or topic/name; empty discards them.",
                watch = "weir_destination_failed_total",
                dynamic = true,
                knownAs = "ErrorDestination")
        String errorDestination) {
    public DeliveryFailureConfig {
        // empty if not configured
        errorDestination = Objects.requireNonNullElse(errorDestination, "");
    }
}
