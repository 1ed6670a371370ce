package io.weir.server.config;

import io.weir.base.Knob;
import io.weir.server.admin.AdminConfig;

/** The whole configuration: the root of {@code weir.yaml}. Immutable; swapped whole by a live change. */
public record WeirConfig(
        @Knob(doc = "The process: names, data directory, log.")
        ServerConfig server,

        @Knob(doc = "The admin listener.") AdminConfig admin) {}
