package io.weir.cluster.config;

import io.weir.base.Knob;

/** The section {@code cluster.naming}: bounds of the replicated tree of names. The same on all members. Immutable. */
public record NamingConfig(
        @Knob(
                doc = "Names that may be bound at once; binding one more is refused.",
                value = "10000",
                unit = "names",
                min = "1",
                max = "1000000",
                watch = "weir_naming_bindings")
        int maxBindings,

        @Knob(
                doc = "Longest text that may be bound as a value.",
                value = "4096",
                unit = "characters",
                min = "1",
                max = "65536",
                watch = "weir_naming_bindings")
        int maxValue) {}
