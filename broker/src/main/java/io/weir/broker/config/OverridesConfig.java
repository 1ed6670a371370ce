package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;

/** A destination's overrides of its producers' settings (WebLogic's DeliveryParamsOverrides). Immutable. */
public record OverridesConfig(
        @Knob(
                doc = "Delivery mode of every message, whatever the producer set; No-Delivery leaves it alone.",
                value = "No-Delivery",
                dynamic = true,
                knownAs = "DeliveryMode override",
                unwatched = Unwatched.MEANING)
        DeliveryModeOverride deliveryMode,

        @Knob(
                doc = "Priority of every message; -1 leaves it alone." + " Rule of thumb: -1.",
                value = "-1",
                min = "-1",
                max = "9",
                dynamic = true,
                knownAs = "Priority override",
                unwatched = Unwatched.MEANING)
        int priority,

        @Knob(
                doc = "Time to live of every message in milliseconds; -1 leaves it alone, 0: no expiration."
                        + " Rule of thumb: -1; else the age at which a message is of no use.",
                value = "-1",
                unit = "milliseconds",
                min = "-1",
                watch = "weir_destination_expired_total",
                dynamic = true,
                knownAs = "TimeToLive override")
        long timeToLive,

        @Knob(
                doc = "Milliseconds between send and delivery of every message; -1 leaves it alone."
                        + " Rule of thumb: -1.",
                value = "-1",
                unit = "milliseconds",
                min = "-1",
                watch = "weir_destination_messages_pending",
                dynamic = true,
                knownAs = "TimeToDeliver override")
        long timeToDeliver) {}
