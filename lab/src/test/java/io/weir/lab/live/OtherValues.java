package io.weir.lab.live;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Guesses at other values of a knob, from its type and bounds: one of them will be taken. Stateless. */
final class OtherValues {
    private static final Pattern MEASURE = Pattern.compile("(-?\\d+)([A-Za-z]*)");
    private static final List<String> TEXTS = List.of("other", "/other", "default", "http", "");
    private static final List<String> LISTS = List.of(
            "[\"other.test\"]", "[\"10.0.0.0/8\"]", "[\"503\"]", "[\"8443\"]", "[\"Socket=fine\"]", "[\"http\"]");

    private OtherValues() {}

    /** Values as they stand in a JSON text, the first ones the closest to what is in force. */
    static List<String> of(String type, String value, String max) {
        if (type.startsWith("list of")) {
            return LISTS;
        }
        if (type.startsWith("map of")) {
            return List.of("{\"other\": \"other\"}", "{\"other\": \"1\"}");
        }
        List<String> guesses = new ArrayList<>();
        if (type.equals("on|off")) {
            guesses.add(value.equals("on") ? "off" : "on");
        } else if (type.contains("|")) {
            guesses.addAll(List.of(type.split("\\|", -1)));
        } else if (type.equals("text")) {
            guesses.addAll(TEXTS);
        } else {
            numbers(value, max, guesses);
        }
        guesses.removeIf(value::equals);
        return guesses.stream().map(g -> "\"" + g + "\"").toList();
    }

    /** A value as it was shown, for going back. */
    static String same(String type, String value) {
        if (!type.startsWith("list of")) {
            return "\"" + value + "\"";
        }
        return value.isEmpty() || value.equals("none") ? "[]" : "[\"" + value.replaceAll(" *, *", "\", \"") + "\"]";
    }

    private static void numbers(String value, String max, List<String> into) {
        Matcher m = MEASURE.matcher(value);
        if (m.matches() && Long.parseLong(m.group(1)) > 0) {
            long n = Long.parseLong(m.group(1));
            into.add(n < Long.MAX_VALUE ? n + 1 + m.group(2) : "1000");
            into.add(n - 1 + m.group(2));
            into.add(n < Long.MAX_VALUE / 60 ? 60 * n + m.group(2) : "1000");
        }
        // without a bound until now: a wide one
        into.addAll(List.of("1GiB", "1000000", "50000", "1000", "300", "1h", "1m", "90", "0.5", "5", "2"));
        into.add(max);
    }
}
