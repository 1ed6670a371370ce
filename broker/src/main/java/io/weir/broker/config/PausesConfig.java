package io.weir.broker.config;

import io.weir.base.Knob;

/** The paused stages, at the start and, by a live change, while the server runs. Immutable. */
public record PausesConfig(
        @Knob(
                doc = "New sends are refused; what producers sent before is still inserted and consumed.",
                value = "off",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "ProductionPausedAtStartup")
        boolean production,

        @Knob(
                doc = "Messages in flight (uncommitted, delayed) are not inserted either; commits and redirections to"
                        + " the destination fail.",
                value = "off",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "InsertionPausedAtStartup")
        boolean insertion,

        @Knob(
                doc = "Nothing is delivered to consumers; messages accumulate up to the quota.",
                value = "off",
                watch = "weir_destination_messages_pending",
                dynamic = true,
                knownAs = "ConsumptionPausedAtStartup")
        boolean consumption) {}
