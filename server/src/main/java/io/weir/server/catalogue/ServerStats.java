package io.weir.server.catalogue;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of room {@code server}. Immutable. */
public final class ServerStats {
    public static final StatSpec LOG_LINES = StatSpec.counter(
            "weir_log_messages_total", "messages", "Messages written to the server log, by severity.", "severity");
    public static final StatSpec LOG_SUPPRESSED = StatSpec.counter(
            "weir_log_suppressed_total",
            "messages",
            "Repetitions of a warning or error that were counted, not written (server.log.repeat-interval).");
    public static final StatSpec LOG_DROPPED = StatSpec.counter(
            "weir_log_dropped_total",
            "messages",
            "Messages dropped because the writer's queue was full (server.log.queue): a slow disk, or a flood.");
    public static final StatSpec LOG_ROTATIONS = StatSpec.counter(
            "weir_log_rotations_total",
            "rotations",
            "Rotations of the server log file. If frequent, log less, or raise server.log.rotate-size.");
    public static final StatSpec CONFIG_CHANGES = StatSpec.counter(
            "weir_config_changes_total", "changes", "Live changes that were applied (PATCH /knobs, roll-backs).");
    public static final StatSpec CONFIG_REFUSED = StatSpec.counter(
            "weir_config_refused_total",
            "changes",
            "Live changes that were refused: an unknown or static key, or an invalid value.");

    public static final StatSpec MUXERS_HANGING = StatSpec.gauge(
            "weir_muxers_hanging",
            "muxers",
            "Muxers that have made no progress for some seconds: their connections stall, see /threads.");

    public static final List<StatSpec> ALL = List.of(
            LOG_LINES, LOG_SUPPRESSED, LOG_DROPPED, LOG_ROTATIONS, CONFIG_CHANGES, CONFIG_REFUSED, MUXERS_HANGING);

    private ServerStats() {}
}
