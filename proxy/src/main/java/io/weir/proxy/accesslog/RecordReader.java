package io.weir.proxy.accesslog;

import io.weir.proxy.accesslog.LogFormat.Part;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of an access log, by the format in its first line, or as JSON. Confined to its caller; lines that
 * do not match the format are ignored.
 */
public final class RecordReader {
    private static final String FORMAT = "format=";
    private static final Map<String, String> MEMBERS = JsonRecords.tokens();

    private final @Nullable List<Part> parts;
    private final Map<String, String> values = new HashMap<>();
    private String lastDate = "";
    private long lastMillis = -1;

    private RecordReader(@Nullable List<Part> parts) {
        this.parts = parts;
    }

    /**
     * A reader for a file that starts with this line; null if the line is not a format that Weir writes. A file without
     * a format line, such as a JSON log, is recognised by its first record.
     */
    public static @Nullable RecordReader of(String firstLine) {
        if (firstLine.startsWith("{")) {
            return new RecordReader(null);
        }
        if (!firstLine.startsWith(FORMAT)) {
            return null;
        }
        try {
            return new RecordReader(
                    LogFormat.parse(firstLine.substring(FORMAT.length())).parts());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The record of a line; null if it is none. */
    public @Nullable ReadRecord read(String line) {
        values.clear();
        List<Part> format = parts;
        boolean fits = format == null ? FlatJson.read(line, values) : fits(line, format);
        if (!fits) {
            return null;
        }
        if (format == null) {
            MEMBERS.forEach((member, token) -> {
                String value = values.get(member);
                if (value != null) {
                    values.put(token, value);
                }
            });
        }
        return ReadRecord.of(millis(), values::get);
    }

    private boolean fits(String line, List<Part> format) {
        int at = 0;
        for (int i = 0; i < format.size(); i++) {
            Part part = format.get(i);
            if (part instanceof Part.Literal literal) {
                if (!line.startsWith(literal.text(), at)) {
                    return false;
                }
                at += literal.text().length();
                continue;
            }
            int end = end(line, at, i + 1 < format.size() ? format.get(i + 1) : null);
            if (end < 0) {
                return false;
            }
            switch (part) {
                case Part.Value value -> values.put(key(value), unescaped(line, at, end));
                case Part.Time time -> values.put(time.form().name(), line.substring(at, end));
                case Part.Size _, Part.Literal _ -> {
                    // not a value of the exchange
                }
            }
            at = end;
        }
        return true;
    }

    /**
     * A value ends where the following text begins, because values contain none of the quotes and spaces that delimit
     * them.
     */
    private static int end(String line, int from, @Nullable Part next) {
        if (!(next instanceof Part.Literal literal)) {
            return next == null ? line.length() : from;
        }
        for (int i = from; i < line.length(); i++) {
            if (line.startsWith(literal.text(), i)) {
                return i;
            }
            if (line.charAt(i) == '\\') {
                i++;
            }
        }
        return -1;
    }

    private static String key(Part.Value value) {
        LogVariable variable = value.variable();
        if (variable != null) {
            return variable.token();
        }
        return (value.kind() == LogFormat.Kind.REQUEST_FIELD ? "Req->headers." : value.kind() + " ") + value.name();
    }

    private static String unescaped(String line, int from, int to) {
        int backslash = line.indexOf('\\', from);
        if (backslash < 0 || backslash >= to) {
            return line.substring(from, to);
        }
        StringBuilder text = new StringBuilder(to - from);
        for (int i = from; i < to; i++) {
            char c = line.charAt(i);
            if (c != '\\' || i + 1 >= to) {
                text.append(c);
            } else if (line.charAt(i + 1) == 'x' && i + 3 < to) {
                text.append((char) hex(line, i + 2, i + 4));
                i += 3;
            } else {
                text.append(line.charAt(++i));
            }
        }
        return text.toString();
    }

    /** A hexadecimal number; characters that are not digits are treated as 0. */
    static int hex(String line, int from, int to) {
        int n = 0;
        for (int i = from; i < to; i++) {
            n = n * 16 + Math.max(0, Character.digit(line.charAt(i), 16));
        }
        return n;
    }

    private long millis() {
        String seconds = values.get(LogClock.Form.TIME.name());
        if (seconds != null && seconds.matches("[0-9]{1,12}")) {
            return Long.parseLong(seconds) * 1000;
        }
        String iso = values.get(LogClock.Form.ISO.name());
        String date = iso != null ? iso : values.get(LogClock.Form.SYSDATE.name());
        if (date == null) {
            return -1;
        }
        if (!date.equals(lastDate)) {
            lastDate = date;
            lastMillis = parsed(date, iso != null);
        }
        return lastMillis;
    }

    private static long parsed(String date, boolean iso) {
        try {
            DateTimeFormatter form = iso ? DateTimeFormatter.ISO_INSTANT : LogClock.SYSDATE;
            return Instant.from(form.parse(date)).toEpochMilli();
        } catch (DateTimeException e) {
            return -1;
        }
    }
}
