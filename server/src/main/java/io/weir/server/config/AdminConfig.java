package io.weir.server.config;

import io.weir.base.Knob;

/** The section {@code admin}: the listener for monitoring and live changes. Immutable. */
public record AdminConfig(
        @Knob(doc = "Serves the admin listener: perfdump, stats-xml, metrics, health, knobs.", value = "on")
        boolean enabled,

        @Knob(
                doc = "Address of the admin listener. Anything but a loopback address shows the views to everybody who"
                        + " can reach it: reads then need the token too.",
                value = "127.0.0.1")
        String address,

        @Knob(doc = "Port of the admin listener; 0 takes a free one.", value = "8888", min = "0", max = "65535")
        int port,

        @Knob(
                doc = "Connections that the admin listener holds at a time; more are closed at once.",
                value = "64",
                unit = "connections",
                min = "1",
                max = "10000")
        int maxConnections) {}
