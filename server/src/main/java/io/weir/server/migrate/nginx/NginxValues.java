package io.weir.server.migrate.nginx;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times and sizes as nginx writes them. Stateless. */
final class NginxValues {
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d|w|M|y)?");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})([kKmMgG]?)");

    private NginxValues() {}

    /**
     * Milliseconds of a time such as {@code 1m30s}; -1: it is none.
     *
     */
    static long millis(String text) {
        Matcher m = PART.matcher(text);
        long all = 0;
        int end = 0;
        while (m.find() && m.start() == end && m.end() > m.start()) {
            String unit = m.group(2) == null ? "s" : m.group(2);
            all += Long.parseLong(m.group(1))
                    * switch (unit) {
                        case "ms" -> 1L;
                        case "m" -> 60_000L;
                        case "h" -> 3_600_000L;
                        case "d" -> 86_400_000L;
                        case "w" -> 604_800_000L;
                        case "M" -> 2_592_000_000L;
                        case "y" -> 31_536_000_000L;
                        default -> 1000L;
                    };
            end = m.end();
        }
        return end == text.length() && end > 0 ? all : -1;
    }

    /** A time within bounds, as Weir writes it; null: it is none. */
    static @Nullable String time(String text, long leastMillis, long mostMillis) {
        long millis = millis(text);
        if (millis < 0) {
            return null;
        }
        long bounded = Math.max(leastMillis, Math.min(mostMillis, millis));
        return bounded % 1000 == 0 ? bounded / 1000 + "s" : bounded + "ms";
    }

    /**
     * Bytes of a size such as {@code 8k}; -1: it is none.
     *
     */
    static long bytes(String text) {
        Matcher m = SIZE.matcher(text);
        if (!m.matches()) {
            return -1;
        }
        long number = Long.parseLong(m.group(1));
        int shift = switch (m.group(2)) {
            case "k", "K" -> 10;
            case "m", "M" -> 20;
            case "g", "G" -> 30;
            default -> 0;
        };
        return number > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : number << shift;
    }

    static boolean constant(String text) {
        return text.indexOf('$') < 0;
    }
}
