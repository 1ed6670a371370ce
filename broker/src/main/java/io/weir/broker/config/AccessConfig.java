package io.weir.broker.config;

import io.weir.base.Knob;
import java.util.List;

/** Who may use a destination: users and groups by name; an empty list allows every authenticated user. Immutable. */
public record AccessConfig(
        @Knob(
                doc = "Users and groups that may send.",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "send policy")
        List<String> send,

        @Knob(
                doc = "Users and groups that may receive.",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "receive policy")
        List<String> receive,

        @Knob(
                doc = "Users and groups that may browse.",
                watch = "weir_jms_refused_total",
                dynamic = true,
                knownAs = "browse policy")
        List<String> browse) {}
