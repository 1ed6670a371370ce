package io.weir.lab.scenario;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of bytes in scenarios: escapes, placeholders, the fill pattern, and the display of bytes. Stateless. */
public final class Text {
    private static final Pattern PLACE = Pattern.compile("\\$\\{([A-Za-z0-9_.-]+)}");

    private static final Pattern REPEATED = Pattern.compile("\\$\\{([^}*]+)\\*(\\d+[kmKM]?)}");

    private Text() {}

    /**
     * Replaces {@code ${name}} by its value and <code>${text*N}</code> by N times the text; an unknown name is an
     * error, never an empty string.
     */
    static String fill(String text, Map<String, String> variables) {
        if (!text.contains("${")) {
            return text;
        }
        return fillNames(
                REPEATED.matcher(text)
                        .replaceAll(m -> Matcher.quoteReplacement(m.group(1).repeat((int) count(m.group(2))))),
                variables);
    }

    /** Replaces {@code ${name}} by its value; what has no value stays: languages of files have such names as well. */
    static String fillKnown(String text, Map<String, String> variables) {
        return PLACE.matcher(text)
                .replaceAll(m -> Matcher.quoteReplacement(variables.getOrDefault(m.group(1), m.group())));
    }

    private static String fillNames(String text, Map<String, String> variables) {
        return PLACE.matcher(text).replaceAll(m -> {
            String value = variables.get(m.group(1));
            if (value == null) {
                throw new ScenarioFailure("unknown place ${" + m.group(1) + "}; known: " + variables.keySet());
            }
            return Matcher.quoteReplacement(value);
        });
    }

    /** Bytes of a text with {@code \r \n \t \0 \\ \s \xHH}; other characters are UTF-8. */
    public static byte[] bytes(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                int end = Character.isHighSurrogate(c) ? i + 2 : i + 1;
                out.writeBytes(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
                i = end - 1;
            } else if (text.charAt(++i) == 'x') {
                out.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                out.write(escape(text.charAt(i)));
            }
        }
        return out.toByteArray();
    }

    private static int escape(char c) {
        return switch (c) {
            case 'r' -> '\r';
            case 'n' -> '\n';
            case 't' -> '\t';
            case 's' -> ' ';
            case '0' -> 0;
            case '\\' -> '\\';
            default -> throw new ScenarioFailure("unknown escape \\" + c);
        };
    }

    /** Printable form of bytes, truncated after {@code max} of them. */
    static String show(byte[] bytes, int from, int length, int max) {
        StringBuilder out = new StringBuilder();
        int shown = Math.min(length, max);
        for (int i = from; i < from + shown; i++) {
            out.append(show(bytes[i]));
        }
        if (shown < length) {
            out.append("… (").append(length).append(" bytes)");
        }
        return out.toString();
    }

    private static String show(byte b) {
        return switch (b) {
            case '\r' -> "\\r";
            case '\n' -> "\\n";
            case '\t' -> "\\t";
            case '\\' -> "\\\\";
            default -> b >= 0x20 && b < 0x7f ? String.valueOf((char) b) : String.format("\\x%02x", b & 0xff);
        };
    }

    /** Byte {@code offset} of the fill pattern: printable, and different after any shift by a buffer's size. */
    static byte pattern(long offset) {
        return (byte) ('a' + (offset * 7 + offset / 251) % 26);
    }

    /** A count with an optional {@code k}, {@code m} or {@code g} (powers of 1024). */
    static long count(String text) {
        char last = Character.toLowerCase(text.charAt(text.length() - 1));
        int shift = last == 'k' ? 10 : last == 'm' ? 20 : last == 'g' ? 30 : 0;
        return Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1)) << shift;
    }
}
