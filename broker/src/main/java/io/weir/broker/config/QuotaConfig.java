package io.weir.broker.config;

import io.weir.base.Knob;

/**
 * An entry of {@code messaging.quotas}: bounds on stored messages, shared by destinations or copied for each.
 * Immutable.
 */
public record QuotaConfig(
        @Knob(
                doc = "Messages that may be stored at once, those in flight, delayed and uncommitted included. A lower"
                        + " value bounds memory and makes senders wait; if it is lowered below the current use, new"
                        + " sends wait or are refused until enough is consumed."
                        + " Rule of thumb: what arrives while consumers are restarted, twice.",
                value = "9223372036854775807",
                unit = "messages",
                min = "0",
                watch = {"weir_quota_messages", "weir_quota_waits_total", "weir_quota_refused_total"},
                dynamic = true,
                knownAs = "Quota MessagesMaximum")
        long messagesMaximum,

        @Knob(
                doc = "Bytes of messages (headers, properties and bodies) that may be stored at once."
                        + " Rule of thumb: messages-maximum times the usual size.",
                value = "9223372036854775807",
                unit = "bytes",
                min = "0",
                watch = {"weir_quota_bytes", "weir_quota_waits_total", "weir_quota_refused_total"},
                dynamic = true,
                knownAs = "Quota BytesMaximum")
        long bytesMaximum,

        @Knob(
                doc = "Which waiting send is served first when room becomes free: fifo keeps the order of requests,"
                        + " preemptive lets those that fit pass larger ones (which may starve).",
                value = "fifo",
                watch = "weir_quota_waits_total",
                dynamic = true,
                knownAs = "Quota Policy")
        QuotaPolicy policy,

        @Knob(
                doc = "on: destinations that name this quota compete for one pool; off: it is a template, each"
                        + " destination has a pool of its own.",
                value = "on",
                watch = "weir_quota_messages",
                knownAs = "Quota Shared")
        boolean shared) {}
