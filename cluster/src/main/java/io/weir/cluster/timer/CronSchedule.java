package io.weir.cluster.timer;

import io.weir.cluster.timer.CronField.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cron schedule in a time zone: see {@link Schedule}. Immutable. */
record CronSchedule(
        CronField second,
        CronField minute,
        CronField hour,
        CronField day,
        CronField month,
        CronField weekday,
        ZoneId zone)
        implements Schedule {
    private static final Map<String, String> NAMED = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");
    /** Search limit in days: the longest gap is eight years, for 29 February across 2100. */
    private static final int HORIZON_DAYS = 366 * 9;

    private static final Duration FIRST_WINDOW = Duration.ofHours(1);

    static CronSchedule parse(String text, ZoneId zone) {
        String fields = NAMED.getOrDefault(text.toLowerCase(Locale.ROOT), text);
        String[] f = fields.isEmpty() ? new String[0] : fields.split("\\s+");
        if (f.length != 5 && f.length != 6) {
            throw new IllegalArgumentException("\"" + text + "\" has " + f.length
                    + " fields: a cron expression has five (minute hour day month weekday) or six (with the second"
                    + " first); an interval is written \"every 30s\"");
        }
        int at = f.length - 5;
        CronSchedule s = new CronSchedule(
                at == 0 ? CronField.of(Kind.SECOND, 0) : CronField.parse(Kind.SECOND, f[0]),
                CronField.parse(Kind.MINUTE, f[at]),
                CronField.parse(Kind.HOUR, f[at + 1]),
                CronField.parse(Kind.DAY, f[at + 2]),
                CronField.parse(Kind.MONTH, f[at + 3]),
                CronField.parse(Kind.WEEKDAY, f[at + 4]),
                zone);
        if (s.next(Instant.EPOCH).isEmpty()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" never fires: the day does not exist in any of the" + " months");
        }
        return s;
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return Optional.ofNullable(hour.every() ? nextElapsed(after) : nextOnWall(after));
    }

    @Override
    public List<Instant> due(Instant after, Instant upTo, int most) {
        Duration window = FIRST_WINDOW;
        while (true) {
            Instant from = upTo.minus(window);
            boolean all = !from.isAfter(after);
            List<Instant> due = between(all ? after : from, upTo);
            if (all || due.size() >= most) {
                return due.subList(Math.max(0, due.size() - most), due.size());
            }
            window = window.multipliedBy(4);
        }
    }

    private List<Instant> between(Instant after, Instant upTo) {
        List<Instant> all = new ArrayList<>();
        Optional<Instant> next = next(after);
        while (next.isPresent() && !next.get().isAfter(upTo)) {
            all.add(next.get());
            next = next(next.get());
        }
        return all;
    }

    /** For a schedule that includes every hour: follows elapsed time. */
    private @Nullable Instant nextElapsed(Instant after) {
        ZonedDateTime t = after.atZone(zone).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        LocalDate last = t.toLocalDate().plusDays(HORIZON_DAYS);
        while (t.toLocalDate().isBefore(last)) {
            if (!matches(t.toLocalDate())) {
                t = t.toLocalDate().plusDays(1).atStartOfDay(zone);
            } else if (!minute.has(t.getMinute())) {
                t = t.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
            } else if (!second.has(t.getSecond())) {
                int s = second.from(t.getSecond());
                t = s < 0 ? t.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1) : t.plusSeconds(s - t.getSecond());
            } else {
                return t.toInstant();
            }
        }
        return null;
    }

    /** For a schedule with specific hours: follows local time, firing once for each local time. */
    private @Nullable Instant nextOnWall(Instant after) {
        LocalDateTime from = after.atZone(zone).toLocalDateTime();
        for (int i = 0; i < HORIZON_DAYS; i++) {
            LocalDate date = from.toLocalDate().plusDays(i);
            if (matches(date)) {
                Instant found = nextOn(date, i == 0 ? from.toLocalTime() : LocalTime.MIN, after);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private @Nullable Instant nextOn(LocalDate date, LocalTime from, Instant after) {
        for (int h = hour.from(from.getHour()); h >= 0; h = hour.from(h + 1)) {
            int firstMinute = h == from.getHour() ? from.getMinute() : 0;
            for (int m = minute.from(firstMinute); m >= 0; m = minute.from(m + 1)) {
                for (int s = second.from(0); s >= 0; s = second.from(s + 1)) {
                    Instant at = instant(date.atTime(h, m, s));
                    if (at.isAfter(after)) {
                        return at;
                    }
                }
            }
        }
        return null;
    }

    /** The first occurrence of a repeated local time; the end of the gap for a skipped one. */
    private Instant instant(LocalDateTime onWall) {
        ZoneOffsetTransition change = zone.getRules().getTransition(onWall);
        return change != null && change.isGap()
                ? change.getInstant()
                : onWall.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
    }

    private boolean matches(LocalDate date) {
        if (!month.has(date.getMonthValue())) {
            return false;
        }
        boolean byDay = day.has(date.getDayOfMonth()) || (day.last() && date.getDayOfMonth() == date.lengthOfMonth());
        boolean byWeekday = weekday.has(date.getDayOfWeek().getValue() % 7);
        return (day.every() || weekday.every()) ? (byDay && byWeekday) : (byDay || byWeekday);
    }
}
