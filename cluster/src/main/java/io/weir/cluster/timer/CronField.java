package io.weir.cluster.timer;

import java.util.Arrays;
import java.util.Locale;

/**
 * A field of a cron schedule: a set of small numbers. Immutable.
 *
 * @param bits bit set of matching numbers
 * @param every whether it was written as {@code *}, without a restriction
 * @param last whether it includes {@code L}, the last day of a month
 */
record CronField(long bits, boolean every, boolean last) {
    /** The fields and their ranges. */
    enum Kind {
        SECOND("second", 0, 59, ""),
        MINUTE("minute", 0, 59, ""),
        HOUR("hour", 0, 23, ""),
        DAY("day of the month", 1, 31, ""),
        MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
        WEEKDAY("day of the week", 0, 7, "SUN MON TUE WED THU FRI SAT");

        private final String title;
        private final int least;
        private final int most;
        private final String names;

        Kind(String title, int least, int most, String names) {
            this.title = title;
            this.least = least;
            this.most = most;
            this.names = names;
        }

        /** The value of a name; -1 if unknown. */
        private int named(String name) {
            int at = Arrays.asList(names.split(" ")).indexOf(name);
            return at < 0 ? -1 : at + least;
        }
    }

    static CronField of(Kind kind, int value) {
        return parse(kind, Integer.toString(value));
    }

    /** Parses a field; throws an IllegalArgumentException that says what is wrong. */
    static CronField parse(Kind kind, String text) {
        if (text.equals("*") || (text.equals("?") && (kind == Kind.DAY || kind == Kind.WEEKDAY))) {
            return new CronField(range(kind, kind.least, kind.most, 1), true, false);
        }
        long bits = 0;
        boolean last = false;
        for (String part : text.split(",", -1)) {
            if (kind == Kind.DAY && part.equalsIgnoreCase("L")) {
                last = true;
            } else {
                bits |= part(kind, text, part);
            }
        }
        return new CronField(bits, false, last);
    }

    private static long part(Kind kind, String text, String part) {
        int slash = part.indexOf('/');
        String range = slash < 0 ? part : part.substring(0, slash);
        int step = slash < 0 ? 1 : number(kind, text, part.substring(slash + 1));
        int dash = range.indexOf('-');
        int from;
        int to;
        if (range.equals("*")) {
            from = kind.least;
            to = kind == Kind.WEEKDAY ? 6 : kind.most;
        } else if (dash > 0) {
            from = value(kind, text, range.substring(0, dash));
            to = value(kind, text, range.substring(dash + 1));
        } else {
            from = value(kind, text, range);
            to = slash < 0 ? from : kind == Kind.WEEKDAY ? 6 : kind.most;
        }
        if (step < 1 || from > to) {
            throw wrong(kind, text, "\"" + part + "\" is empty");
        }
        return range(kind, from, to, step);
    }

    private static long range(Kind kind, int from, int to, int step) {
        long bits = 0;
        for (int i = from; i <= to; i += step) {
            bits |= 1L << (kind == Kind.WEEKDAY && i == 7 ? 0 : i);
        }
        return bits;
    }

    private static int value(Kind kind, String text, String part) {
        int named = kind.named(part.toUpperCase(Locale.ROOT));
        int value = named >= 0 && !part.isEmpty() ? named : number(kind, text, part);
        if (value < kind.least || value > kind.most) {
            throw wrong(kind, text, part + " is not " + kind.least + " to " + kind.most);
        }
        return value;
    }

    private static int number(Kind kind, String text, String part) {
        if (part.isEmpty() || part.length() > 4 || !part.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw wrong(kind, text, "\"" + part + "\" is not a number");
        }
        return Integer.parseInt(part);
    }

    private static IllegalArgumentException wrong(Kind kind, String text, String why) {
        return new IllegalArgumentException("the " + kind.title + " \"" + text + "\" is invalid: " + why);
    }

    boolean has(int value) {
        return (bits >>> value & 1) != 0;
    }

    /** The smallest match at or above a value; -1 if none. */
    int from(int value) {
        long left = value > 63 ? 0 : bits >>> value << value;
        return left == 0 ? -1 : Long.numberOfTrailingZeros(left);
    }
}
