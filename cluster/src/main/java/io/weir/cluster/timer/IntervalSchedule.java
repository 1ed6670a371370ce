package io.weir.cluster.timer;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A fixed interval, measured from the last firing. Immutable. */
record IntervalSchedule(Duration interval) implements Schedule {
    static final String EVERY = "every ";

    private static final Duration LONGEST = Duration.ofDays(3660);
    private static final Pattern PARTS =
            Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?");

    static IntervalSchedule parse(String text) {
        String length = text.substring(EVERY.length()).replace(" ", "").toLowerCase(Locale.ROOT);
        Matcher m = PARTS.matcher(length);
        if (length.isEmpty() || !m.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not an interval: write one such as \"every 30s\""
                    + " or \"every 1h30m\", of days d, hours h, minutes m, seconds s in this order");
        }
        Duration interval = Duration.ofDays(number(m, 1))
                .plusHours(number(m, 2))
                .plusMinutes(number(m, 3))
                .plusSeconds(number(m, 4));
        if (interval.isZero() || interval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not between a second and ten years");
        }
        return new IntervalSchedule(interval);
    }

    private static long number(Matcher m, int group) {
        return m.group(group) == null ? 0 : Long.parseLong(m.group(group));
    }

    @Override
    public Optional<Instant> next(Instant after) {
        try {
            return Optional.of(after.plus(interval));
        } catch (DateTimeException | ArithmeticException endOfTime) {
            return Optional.empty();
        }
    }

    @Override
    public List<Instant> due(Instant after, Instant upTo, int most) {
        long count = after.isBefore(upTo) ? Duration.between(after, upTo).dividedBy(interval) : 0;
        List<Instant> due = new ArrayList<>();
        for (long i = Math.max(1, count - most + 1); i <= count; i++) {
            due.add(after.plus(interval.multipliedBy(i)));
        }
        return due;
    }
}
