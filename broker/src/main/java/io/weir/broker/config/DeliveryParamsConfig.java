package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;

/** What the producers of a connection factory set by default (WebLogic's DefaultDeliveryParams). Immutable. */
public record DeliveryParamsConfig(
        @Knob(
                doc = "Delivery mode.",
                value = "persistent",
                dynamic = true,
                knownAs = "DefaultDeliveryMode",
                unwatched = Unwatched.MEANING)
        ProducerDeliveryMode defaultDeliveryMode,

        @Knob(
                doc = "Priority.",
                value = "4",
                min = "0",
                max = "9",
                dynamic = true,
                knownAs = "DefaultPriority",
                unwatched = Unwatched.MEANING)
        int defaultPriority,

        @Knob(
                doc = "Milliseconds that messages live; 0 for ever.",
                value = "0",
                unit = "milliseconds",
                min = "0",
                watch = "weir_destination_expired_total",
                dynamic = true,
                knownAs = "DefaultTimeToLive")
        long defaultTimeToLive,

        @Knob(
                doc = "Milliseconds between send and delivery.",
                value = "0",
                unit = "milliseconds",
                min = "0",
                dynamic = true,
                knownAs = "DefaultTimeToDeliver",
                unwatched = Unwatched.MEANING)
        long defaultTimeToDeliver,

        @Knob(
                doc = "Milliseconds that a message rests before it is delivered again, where the destination says"
                        + " nothing.",
                value = "0",
                unit = "milliseconds",
                min = "0",
                watch = "weir_destination_redelivered_total",
                dynamic = true,
                knownAs = "DefaultRedeliveryDelay")
        long defaultRedeliveryDelay,

        @Knob(
                doc = "Milliseconds that a send waits for room in the quota before it fails. Longer smooths bursts and"
                        + " saves applications from retrying; their threads wait meanwhile.",
                value = "10",
                unit = "milliseconds",
                min = "0",
                watch = {"weir_quota_waits_total", "weir_quota_refused_total"},
                dynamic = true,
                knownAs = "SendTimeout")
        long sendTimeout) {}
