package io.weir.cluster.config;

import io.weir.base.Knob;
import io.weir.base.Unwatched;
import java.util.Objects;

/** An entry of {@code timers}: a schedule that fires once in the cluster. The same on all members. Immutable. */
public record TimerConfig(
        @Knob(
                doc = "When it fires: a cron expression of five or six fields (\"0 3 * * *\"; a sixth field for"
                        + " seconds comes first) or an interval (\"every 30s\").",
                required = true,
                unwatched = Unwatched.MEANING)
        String schedule,

        @Knob(
                doc = "Time zone of the schedule, such as Europe/Berlin.",
                value = "UTC",
                min = "1",
                unwatched = Unwatched.MEANING)
        String zone,

        @Knob(
                doc = "What happens to firings that were missed while no member could fire them. fire-once: one for all"
                        + " of them; skip: none; fire-all: each of the latest hundred.",
                value = "fire-once",
                watch = "weir_timer_misfired_total")
        MisfirePolicy misfire,

        @Knob(
                doc = "Destination to which each firing sends a text message, such as queue/demo. Set either this or"
                        + " class-name.",
                unwatched = Unwatched.NAME)
        String destination,

        @Knob(doc = "Text of the message.", unwatched = Unwatched.MEANING)
        String message,

        @Knob(
                doc =
                        "Class of cluster.lib-dir that implements io.weir.cluster.timer.TimerListener and is called at each"
                                + " firing.",
                knownAs = "TimerListener",
                unwatched = Unwatched.NAME)
        String className,

        @Knob(doc = "Off: it is defined, but paused from the start.", value = "on", unwatched = Unwatched.SWITCH)
        boolean enabled) {
    public TimerConfig {
        // not given: empty
        schedule = Objects.requireNonNullElse(schedule, "");
        destination = Objects.requireNonNullElse(destination, "");
        message = Objects.requireNonNullElse(message, "");
        className = Objects.requireNonNullElse(className, "");
    }
}
