package io.weir.http.semantics;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * HTTP-date in its three forms (RFC 9110 5.6.7), without allocating garbage. Names of days, months and {@code GMT}
 * match in any case, as RFC 9111 4.2 requires of a cache; everything else is exact: one space, two digits, {@code GMT}
 * only. The name of the day must be one of the seven but need not fit the date. A leap second is treated as the second
 * before it.
 */
public final class HttpDate {

    /** The result of {@link #parse} for a text that is not an HTTP-date. */
    public static final long INVALID = Long.MIN_VALUE;

    /** Bytes in an IMF-fixdate. */
    public static final int LENGTH = 29;

    private static final long LAST = 253_402_300_799L;
    private static final String DAYS = "sunmontuewedthufrisat";
    private static final String[] FULL_DAYS = {
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"
    };
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
    private static final byte[] DAY_NAMES = "SunMonTueWedThuFriSat".getBytes(US_ASCII);
    private static final byte[] MONTH_NAMES = "JanFebMarAprMayJunJulAugSepOctNovDec".getBytes(US_ASCII);

    private HttpDate() {}

    /**
     * Epoch seconds of an HTTP-date, or {@link #INVALID}. Null is invalid too.
     *
     * @param nowSeconds epoch seconds; determines the century of an RFC 850 date: the latest year with those two digits
     * that is not more than 50 years ahead
     */
    public static long parse(@Nullable String text, long nowSeconds) {
        if (text == null || text.length() < 24 || text.length() > 33) {
            return INVALID;
        }
        if (text.charAt(3) == ',') {
            return fixdate(text);
        }
        return text.charAt(3) == ' ' ? asctime(text) : rfc850(text, nowSeconds);
    }

    /** {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
    private static long fixdate(String s) {
        boolean shaped = s.length() == LENGTH
                && name(s, 0, DAYS) >= 0
                && s.charAt(4) == ' '
                && s.charAt(7) == ' '
                && s.charAt(11) == ' '
                && s.charAt(16) == ' '
                && gmt(s, 25);
        return shaped ? epoch(number(s, 12, 4), name(s, 8, MONTHS), number(s, 5, 2), secondOfDay(s, 17)) : INVALID;
    }

    /** {@code Sun Nov  6 08:49:37 1994}. */
    private static long asctime(String s) {
        boolean shaped = s.length() == 24
                && name(s, 0, DAYS) >= 0
                && s.charAt(7) == ' '
                && s.charAt(10) == ' '
                && s.charAt(19) == ' ';
        if (!shaped) {
            return INVALID;
        }
        int day = s.charAt(8) == ' ' ? number(s, 9, 1) : number(s, 8, 2);
        return epoch(number(s, 20, 4), name(s, 4, MONTHS), day, secondOfDay(s, 11));
    }

    /** {@code Sunday, 06-Nov-94 08:49:37 GMT}. */
    private static long rfc850(String s, long nowSeconds) {
        int comma = s.indexOf(',');
        boolean shaped = comma >= 6
                && s.length() == comma + 24
                && fullDay(s, comma)
                && s.charAt(comma + 1) == ' '
                && s.charAt(comma + 4) == '-'
                && s.charAt(comma + 8) == '-'
                && s.charAt(comma + 11) == ' '
                && gmt(s, comma + 20);
        if (!shaped) {
            return INVALID;
        }
        int twoDigits = number(s, comma + 9, 2);
        int month = name(s, comma + 5, MONTHS);
        int day = number(s, comma + 2, 2);
        int second = secondOfDay(s, comma + 12);
        if (twoDigits < 0 || month < 0 || day < 1 || second < 0) {
            return INVALID;
        }
        long year = yearOf(Math.floorDiv(nowSeconds, 86_400)) / 100 * 100 + 100 + twoDigits;
        while (days(year - 50, month, day) * 86_400 + second > nowSeconds) {
            year -= 100;
        }
        return epoch((int) year, month, day, second);
    }

    private static boolean fullDay(String s, int comma) {
        String day = s.substring(0, comma).toLowerCase(Locale.ROOT);
        for (String known : FULL_DAYS) {
            if (known.equals(day)) {
                return true;
            }
        }
        return false;
    }

    /** {@code  GMT} with its space, the last four characters. */
    private static boolean gmt(String s, int at) {
        return s.regionMatches(true, at, " GMT", 0, 4);
    }

    /** Index of the three-letter name at that position, or -1. */
    private static int name(String s, int at, String names) {
        for (int i = 0; i < names.length(); i += 3) {
            if (s.regionMatches(true, at, names, i, 3)) {
                return i / 3;
            }
        }
        return -1;
    }

    /** A fixed number of digits, or -1. */
    private static int number(String s, int at, int digits) {
        int value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = s.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** {@code 08:49:37} as seconds, or -1. */
    private static int secondOfDay(String s, int at) {
        int hour = number(s, at, 2);
        int minute = number(s, at + 3, 2);
        int second = number(s, at + 6, 2);
        boolean valid = s.charAt(at + 2) == ':'
                && s.charAt(at + 5) == ':'
                && hour >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second <= 60;
        return valid ? hour * 3600 + minute * 60 + Math.min(second, 59) : -1;
    }

    private static long epoch(int year, int month, int day, int second) {
        if (year < 0 || month < 0 || second < 0 || day < 1 || day > monthLength(year, month)) {
            return INVALID;
        }
        return days(year, month, day) * 86_400 + second;
    }

    private static int monthLength(int year, int month) {
        if (month == 1) {
            return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
        }
        return month == 3 || month == 5 || month == 8 || month == 10 ? 30 : 31;
    }

    /** Days since 1970-01-01 of a date in the Gregorian calendar; month 0..11. Counts years from March. */
    private static long days(long year, int month, int day) {
        long y = month < 2 ? year - 1 : year;
        int m = month < 2 ? month + 10 : month - 2;
        return 365 * y
                + Math.floorDiv(y, 4)
                - Math.floorDiv(y, 100)
                + Math.floorDiv(y, 400)
                + (153 * m + 2) / 5
                + day
                - 719_469;
    }

    private static long yearOf(long days) {
        long z = days + 719_468;
        long era = Math.floorDiv(z, 146_097);
        long dayOfEra = z - era * 146_097;
        long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        return era * 400 + yearOfEra + (dayOfYear >= 306 ? 1 : 0);
    }

    /** An IMF-fixdate of 29 characters; times before year 0 or after year 9999 are clamped. */
    public static String format(long epochSeconds) {
        byte[] out = new byte[LENGTH];
        write(epochSeconds, out, 0);
        return new String(out, US_ASCII);
    }

    /** Writes an IMF-fixdate: {@link #LENGTH} bytes from {@code at}. Allocates nothing. */
    public static void write(long epochSeconds, byte[] out, int at) {
        long time = Math.clamp(epochSeconds, -62_167_219_200L, LAST);
        long days = Math.floorDiv(time, 86_400);
        int second = (int) Math.floorMod(time, 86_400L);
        int year = (int) yearOf(days);
        int dayOfYear = (int) (days - days(year, 0, 1));
        int month = 0;
        while (dayOfYear >= monthLength(year, month)) {
            dayOfYear -= monthLength(year, month++);
        }
        System.arraycopy(DAY_NAMES, (int) Math.floorMod(days + 4, 7L) * 3, out, at, 3);
        out[at + 3] = ',';
        out[at + 4] = ' ';
        two(out, at + 5, dayOfYear + 1, ' ');
        System.arraycopy(MONTH_NAMES, month * 3, out, at + 8, 3);
        out[at + 11] = ' ';
        two(out, at + 12, year / 100, ' ');
        two(out, at + 14, year % 100, ' ');
        two(out, at + 17, second / 3600, ':');
        two(out, at + 20, second / 60 % 60, ':');
        two(out, at + 23, second % 60, ' ');
        out[at + 26] = 'G';
        out[at + 27] = 'M';
        out[at + 28] = 'T';
    }

    private static void two(byte[] out, int at, int value, char follower) {
        out[at] = (byte) ('0' + value / 10);
        out[at + 1] = (byte) ('0' + value % 10);
        out[at + 2] = (byte) follower;
    }
}
