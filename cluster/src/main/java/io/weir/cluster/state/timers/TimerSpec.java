package io.weir.cluster.state.timers;

import io.weir.cluster.state.entry.Differences;
import java.util.List;

/**
 * A cluster-wide timer as configured. The state does not look into the schedule; {@code io.weir.cluster.timer.Schedule}
 * does. Immutable.
 *
 * @param schedule cron text with five or six fields, or an interval
 * @param zone of the cron text, {@code Europe/Berlin}
 * @param target the receiver of firings: interpreted by the engine's owner
 */
public record TimerSpec(String id, String schedule, String zone, Misfire misfire, String target) {
    /** Firings made up for by {@link Misfire#FIRE_ALL}, at most. */
    public static final int MISSED = 100;

    /** In what it differs from another, by the configuration's keys. */
    public List<String> differences(TimerSpec other) {
        return new Differences()
                .of("schedule", schedule, other.schedule)
                .of("zone", zone, other.zone)
                .of("misfire", misfire, other.misfire)
                .of("destination or class-name", target, other.target)
                .keys();
    }
}
