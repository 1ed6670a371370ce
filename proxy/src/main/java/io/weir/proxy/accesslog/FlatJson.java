package io.weir.proxy.accesslog;

import java.util.Map;

/** Parses a line with one JSON object of strings, numbers, booleans and nulls, as written by the log. Stateless. */
final class FlatJson {
    private FlatJson() {}

    /** Adds the members that are not null; returns false if the line is not such an object. */
    static boolean read(String line, Map<String, String> into) {
        int at = 1;
        if (!line.startsWith("{") || !line.endsWith("}")) {
            return false;
        }
        StringBuilder text = new StringBuilder();
        while (at < line.length() && line.charAt(at) == '"') {
            at = text(line, at, text);
            String name = text.toString();
            if (at < 0 || at >= line.length() || line.charAt(at) != ':') {
                return false;
            }
            at++;
            if (at < line.length() && line.charAt(at) == '"') {
                at = text(line, at, text);
                if (at < 0) {
                    return false;
                }
                into.put(name, text.toString());
            } else {
                int end = bare(line, at);
                String value = line.substring(at, end);
                if (value.isEmpty()) {
                    return false;
                }
                if (!value.equals("null")) {
                    into.put(name, value);
                }
                at = end;
            }
            if (at < line.length() && line.charAt(at) == ',') {
                at++;
            } else {
                break;
            }
        }
        return at == line.length() - 1;
    }

    private static int bare(String line, int from) {
        int i = from;
        while (i < line.length() && line.charAt(i) != ',' && line.charAt(i) != '}') {
            i++;
        }
        return i;
    }

    /** Reads a quoted string; returns its end, -1 if it is unterminated. */
    private static int text(String line, int from, StringBuilder into) {
        into.setLength(0);
        for (int i = from + 1; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (c != '\\') {
                into.append(c);
            } else if (i + 5 < line.length() && line.charAt(i + 1) == 'u') {
                into.append((char) RecordReader.hex(line, i + 2, i + 6));
                i += 5;
            } else if (i + 1 < line.length()) {
                into.append(line.charAt(++i));
            }
        }
        return -1;
    }
}
