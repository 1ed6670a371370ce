package io.weir.cluster.timer;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * When a timer fires: five or six fields of cron, or an interval. Pure functions of instants; immutable, shared.
 *
 * <p><b>Cron</b>: {@code minute hour day-of-month month day-of-week}, with {@code second} in front where there are six; or
 * {@code @hourly}, {@code @daily}, {@code @weekly}, {@code @monthly}, {@code @yearly}. A field is a list of {@code *}, values,
 * ranges {@code a-b} and steps ({@code *}{@code /n}, {@code a-b/n}, {@code a/n}). Months and days have names ({@code JAN},
 * {@code SUN}); Sunday is 0 and 7; {@code L} is the month's last day; {@code ?} is {@code *}. Where both day fields are
 * restricted, either suffices, as in every cron.
 *
 * <p><b>Changes of the clock</b>: a schedule for every hour ({@code *} in its hour field) follows elapsed time: it fires in
 * both passes of a repeated hour, and not for times that do not exist. Any other schedule fires once for each of its times: at
 * the first pass of a repeated one, and at the end of the gap for one that does not exist (several in one gap: once).
 *
 * <p><b>Interval</b>: {@code every 30s}, {@code every 1h30m} (days, hours, minutes, seconds; at least one second), counted
 * from the timer's beginning, whatever the clocks on walls do.
 *
 * <p>Why not the library cron-utils, which would do for the fields: its last release is of March 2023, while several of its
 * issues were about just those changes of the clock (one never returned from a midnight that does not exist), and what it does
 * there cannot be chosen. When a timer fires is what the cluster promises, so its rules stand here, with their tests.
 */
public sealed interface Schedule permits CronSchedule, IntervalSchedule {
    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it is none, or never fires, saying which field is wrong and why
     */
    static Schedule parse(String text, String zone) {
        String trimmed = text.strip();
        ZoneId in = zone(zone);
        return trimmed.startsWith(IntervalSchedule.EVERY)
                ? IntervalSchedule.parse(trimmed)
                : CronSchedule.parse(trimmed, in);
    }

    private static ZoneId zone(String zone) {
        try {
            return ZoneId.of(zone.strip());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "there is no time zone \"" + zone + "\": write one such as Europe/Berlin or UTC", e);
        }
    }

    /** The first firing after this time; empty when there is none any more. */
    Optional<Instant> next(Instant after);

    /**
     * Firings that are due: the latest of those after the one time and not after the other.
     *
     * @param most how many at most
     * @return in ascending order
     */
    List<Instant> due(Instant after, Instant upTo, int most);
}
