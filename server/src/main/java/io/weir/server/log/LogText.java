package io.weir.server.log;

import io.weir.base.Durations;
import io.weir.base.LogMessage;
import io.weir.base.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats messages as lines. Stateless. */
public final class LogText {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);
    private static final int MAX_TEXT = 8192;

    private LogText() {}

    /** The catalogue id as it is printed: {@code WEIR-000438}. */
    public static String id(LogMessage message) {
        return String.format(Locale.ROOT, "WEIR-%06d", message.id());
    }

    /** A severity as it is printed: {@code Notice}. */
    public static String word(Severity severity) {
        String s = severity.name();
        return s.charAt(0) + s.substring(1).toLowerCase(Locale.ROOT);
    }

    /** The text with its placeholders filled; a Throwable without a placeholder is appended. */
    static String fill(String pattern, Object... arguments) {
        StringBuilder out = new StringBuilder(pattern.length() + 64);
        int from = 0;
        int next = 0;
        for (int at = pattern.indexOf("{}"); at >= 0 && next < arguments.length; at = pattern.indexOf("{}", from)) {
            out.append(pattern, from, at).append(show(arguments[next++]));
            from = at + 2;
        }
        out.append(pattern, from, pattern.length());
        if (next < arguments.length && arguments[arguments.length - 1] instanceof Throwable t) {
            out.append(": ").append(show(t));
        }
        return out.toString();
    }

    private static String show(Object argument) {
        if (argument instanceof Duration d) {
            return Durations.spoken(d);
        }
        return argument instanceof Throwable t
                ? t.getClass().getName() + (t.getMessage() == null ? "" : ": " + t.getMessage())
                : String.valueOf(argument);
    }

    /** One line of the file: date, severity, subsystem, id, text. */
    static String line(long millis, LogMessage message, String text) {
        return "<" + date(millis) + "> <" + word(message.severity()) + "> <" + message.subsystem() + "> <" + id(message)
                + "> <" + clean(text) + ">\n";
    }

    /** One line for people: notices as they are, more severe messages with severity and id. */
    static String plain(LogMessage message, String text) {
        String t = clean(text);
        return message.severity() == Severity.NOTICE
                ? t + "\n"
                : word(message.severity()) + " " + id(message) + " (" + message.subsystem() + "): " + t + "\n";
    }

    static String date(long millis) {
        return DATE.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
    }

    /** Removes control characters of untrusted text, so that lines cannot be forged. */
    private static String clean(String text) {
        StringBuilder out = null;
        int length = Math.min(text.length(), MAX_TEXT);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean odd = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == '\u2028' || c == '\u2029';
            if (odd && out == null) {
                out = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (out != null) {
                out.append(odd ? String.format(Locale.ROOT, "\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        String cleaned = out == null ? text.substring(0, length) : out.toString();
        return length < text.length() ? cleaned + "..." : cleaned;
    }
}
