package io.weir.broker.config;

import io.weir.base.Knob;
import io.weir.jms.client.settings.OneWaySendMode;

/** One-way sends (WebLogic's FlowControlParams; its adaptive rates are not implemented yet). Immutable. */
public record FlowParamsConfig(
        @Knob(
                doc = "Whether non-persistent sends outside transactions wait for no answer: disabled, enabled or"
                        + " topicOnly. Faster with few producer threads; over quota such messages are deleted, which the"
                        + " producer learns at its next send with an answer.",
                value = "disabled",
                watch = {"weir_jms_one_way_sends_total", "weir_jms_one_way_dropped_total"},
                dynamic = true,
                knownAs = "OneWaySendMode")
        OneWaySendMode oneWaySendMode,

        @Knob(
                doc = "Number of sends of which one is answered, which bounds the messages in flight and reports"
                        + " errors."
                        + " A larger window sends faster and reports a refusal later. Rule of thumb: 100 for"
                        + " messages that may be lost.",
                value = "1",
                unit = "messages",
                min = "1",
                max = "2147483647",
                watch = {"weir_jms_one_way_sends_total", "weir_jms_one_way_dropped_total"},
                dynamic = true,
                knownAs = "OneWaySendWindowSize")
        int oneWaySendWindowSize) {}
