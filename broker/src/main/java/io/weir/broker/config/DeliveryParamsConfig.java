package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;

/** The defaults of a connection factory's producers (WebLogic's DefaultDeliveryParams). Immutable. */
public record DeliveryParamsConfig(
        @Knob(
                doc =
                        "Delivery mode of messages whose producer sets none: persistent ones survive a restart of the server"
                                + " and cost a forced write, non-persistent ones neither.",
                value = "persistent",
                dynamic = true,
                knownAs = "DefaultDeliveryMode",
                unwatched = Unwatched.MEANING)
        ProducerDeliveryMode defaultDeliveryMode,

        @Knob(
                doc = "Priority of messages whose producer sets none; higher ones are delivered first.",
                value = "4",
                min = "0",
                max = "9",
                dynamic = true,
                knownAs = "DefaultPriority",
                unwatched = Unwatched.MEANING)
        int defaultPriority,

        @Knob(
                doc = "Time to live of messages in milliseconds; 0: no expiration."
                        + " Rule of thumb: the age at which a message is of no use.",
                value = "0",
                unit = "milliseconds",
                min = "0",
                watch = "weir_destination_expired_total",
                dynamic = true,
                knownAs = "DefaultTimeToLive")
        long defaultTimeToLive,

        @Knob(
                doc = "Milliseconds between send and delivery." + " Rule of thumb: 0.",
                value = "0",
                unit = "milliseconds",
                min = "0",
                dynamic = true,
                knownAs = "DefaultTimeToDeliver",
                unwatched = Unwatched.MEANING)
        long defaultTimeToDeliver,

        @Knob(
                doc = "Milliseconds before a message is redelivered, where the destination sets no delay."
                        + " Rule of thumb: the time in which what failed recovers, such as a second.",
                value = "0",
                unit = "milliseconds",
                min = "0",
                watch = "weir_destination_redelivered_total",
                dynamic = true,
                knownAs = "DefaultRedeliveryDelay")
        long defaultRedeliveryDelay,

        @Knob(
                doc = "Milliseconds that a send waits for room in the quota before it fails. A longer time smooths"
                        + " bursts and saves applications from retrying, but blocks their threads."
                        + " Rule of thumb: the time in which consumers make room, at most what the caller waits.",
                value = "10",
                unit = "milliseconds",
                min = "0",
                watch = {"weir_quota_waits_total", "weir_quota_refused_total"},
                dynamic = true,
                knownAs = "SendTimeout")
        long sendTimeout) {}
