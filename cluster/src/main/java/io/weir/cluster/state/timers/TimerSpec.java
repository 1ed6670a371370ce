package io.weir.cluster.state.timers;

import io.weir.cluster.state.entry.Differences;
import java.util.List;

/**
 * The specification of a cluster-wide timer. The state does not interpret the schedule;
 * {@code io.weir.cluster.timer.Schedule} does. Immutable.
 *
 * @param schedule cron expression with five or six fields, or an interval
 * @param zone time zone of the cron expression, such as {@code Europe/Berlin}
 * @param target the receiver of firings, interpreted by the engine's owner
 */
public record TimerSpec(String id, String schedule, String zone, Misfire misfire, String target) {
    /** Maximum number of missed firings executed by {@link Misfire#FIRE_ALL}. */
    public static final int MISSED = 100;

    /** The configuration keys in which it differs from another. */
    public List<String> differences(TimerSpec other) {
        return new Differences()
                .of("schedule", schedule, other.schedule)
                .of("zone", zone, other.zone)
                .of("misfire", misfire, other.misfire)
                .of("destination or class-name", target, other.target)
                .keys();
    }
}
