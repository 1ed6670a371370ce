package io.weir.cluster.timer;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * When a timer fires: five or six fields of cron, or an interval. Pure functions of instants; immutable, shared.
 *
 * <p><b>Cron</b>: {@code minute hour day-of-month month day-of-week}, optionally preceded by {@code second}; or
 * {@code @hourly}, {@code @daily}, {@code @weekly}, {@code @monthly}, {@code @yearly}. A field is a list of {@code *},
 * values, ranges {@code a-b} and steps ({@code *}{@code /n}, {@code a-b/n}, {@code a/n}). Months and days have names
 * ({@code JAN}, {@code SUN}); Sunday is 0 and 7; {@code L} is the month's last day; {@code ?} is {@code *}. If both day
 * fields are restricted, a match of either suffices, as in every cron.
 *
 * <p><b>Changes of the clock</b>: a schedule for every hour ({@code *} in its hour field) follows elapsed time: it
 * fires in both passes of a repeated hour, and not for skipped times. Any other schedule fires once for each of its
 * times: at the first occurrence of a repeated one, and at the end of the gap for a skipped one (once for several in
 * one gap).
 *
 * <p><b>Interval</b>: {@code every 30s}, {@code every 1h30m} (days, hours, minutes, seconds; at least one second),
 * measured from the timer's start, independent of clock changes.
 *
 * <p>Why not the library cron-utils, which could parse the fields: its last release is of March 2023, several of its
 * issues were about clock changes (one did not terminate at a skipped midnight), and its behavior there is not
 * configurable. The firing times are a guarantee of the cluster, so the rules are implemented and tested here.
 */
public sealed interface Schedule permits CronSchedule, IntervalSchedule {
    /**
     * Parses a schedule.
     *
     * @throws IllegalArgumentException if it is invalid, or never fires; the message says which field is wrong and why
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
                    "unknown time zone \"" + zone + "\": write one such as Europe/Berlin or UTC", e);
        }
    }

    /** The first firing after this time; empty if there is none. */
    Optional<Instant> next(Instant after);

    /**
     * Due firings: the latest of those after {@code after} and not after {@code upTo}.
     *
     * @param most maximum number of firings
     * @return in ascending order
     */
    List<Instant> due(Instant after, Instant upTo, int most);
}
