package io.weir.proxy.cache.config;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A time of day at which something happens every day, or once a week. Immutable.
 *
 * @param day null: every day
 */
public record DiskGcTime(@Nullable DayOfWeek day, LocalTime at) {
    /** As a regular expression. */
    static final String PATTERN = "\\s*(?i:(daily|mon|tue|wed|thu|fri|sat|sun) ([01][0-9]|2[0-3]):([0-5][0-9]))\\s*";
    /** For messages. */
    static final String EXPECTED =
            "a day and hh:mm, such as daily 03:00 or sat 04:30 (days are daily, mon, tue, wed, thu,"
                    + " fri, sat, sun)";

    private static final Pattern FORM = Pattern.compile(PATTERN);

    /**
     * Parses {@code daily 03:00} or {@code sat 04:30}.
     *
     * @throws IllegalArgumentException with the expected form
     */
    public static DiskGcTime parse(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            throw new IllegalArgumentException("schedule has \"" + text + "\": expected " + EXPECTED);
        }
        LocalTime at = LocalTime.of(Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)));
        return new DiskGcTime(day(form.group(1)), at);
    }

    private static @Nullable DayOfWeek day(String name) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().toLowerCase(Locale.ROOT).startsWith(name)) {
                return day;
            }
        }
        return null;
    }

    /** The first such time after a moment; a time that the change of clocks leaves out comes when it is over. */
    public ZonedDateTime next(ZonedDateTime after) {
        ZonedDateTime next = after.with(at);
        while (!next.isAfter(after) || (day != null && next.getDayOfWeek() != day)) {
            next = next.plusDays(1).with(at);
        }
        return next;
    }

    /** The first of several times after a moment; null: there are none. */
    public static @Nullable ZonedDateTime next(List<String> times, ZonedDateTime after) {
        ZonedDateTime first = null;
        for (String time : times) {
            ZonedDateTime next = parse(time).next(after);
            first = first == null || next.isBefore(first) ? next : first;
        }
        return first;
    }
}
