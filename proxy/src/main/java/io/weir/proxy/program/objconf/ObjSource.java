package io.weir.proxy.program.objconf;

import io.weir.base.ConfigNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The characters of a file, with the place of each. Reads forward; may be set back. Used by one parser at a time.
 */
final class ObjSource {
    /** What is after the last character. */
    static final char END = '\0';

    private final String name;
    private final String text;
    private final int[] lines;
    private final Map<String, ConfigNode.Place> variables = new LinkedHashMap<>();
    private int at;
    private int end;

    ObjSource(String name, String text) {
        this.name = name;
        this.text = text;
        this.end = text.length();
        this.lines = starts(text);
    }

    private static int[] starts(String text) {
        int[] starts = new int[16];
        int n = 1;
        for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
            starts = n == starts.length ? Arrays.copyOf(starts, n * 2) : starts;
            starts[n++] = i + 1;
        }
        return Arrays.copyOf(starts, n);
    }

    int at() {
        return at;
    }

    /** A variable as it was read, which is noted at its first place. */
    Expression.Variable variable(String named, ConfigNode.Place place) {
        variables.putIfAbsent(named, place);
        return new Expression.Variable(named, place);
    }

    /** All variables that were read. */
    Map<String, ConfigNode.Place> variables() {
        return variables;
    }

    void back(int to) {
        at = to;
    }

    /** Reads up to here as if the file ended; returns where it ended before. */
    int limit(int to) {
        int before = end;
        end = to;
        return before;
    }

    /** Goes to the end: nothing more is read. */
    void end() {
        at = end;
    }

    /** What was read from this position on. */
    String since(int from) {
        return text.substring(from, at);
    }

    boolean ended() {
        return at >= end;
    }

    /** The next character, or {@link #END}. */
    char peek() {
        return peek(0);
    }

    char peek(int ahead) {
        return at + ahead < end ? text.charAt(at + ahead) : END;
    }

    /** Takes the next character, or {@link #END}. */
    char take() {
        return at < end ? text.charAt(at++) : END;
    }

    /** Takes this text if it comes next. */
    boolean take(String next) {
        boolean there = at + next.length() <= end && text.startsWith(next, at);
        at += there ? next.length() : 0;
        return there;
    }

    String between(int from, int to) {
        return text.substring(from, to);
    }

    /** Skips blanks, line ends, and comments; returns whether it crossed the end of a line. */
    boolean skipBlanks() {
        boolean crossed = false;
        while (!ended()) {
            char c = peek();
            if (c == '#') {
                skipLine();
                crossed = true;
            } else if (Character.isWhitespace(c)) {
                crossed |= c == '\n';
                at++;
            } else {
                return crossed;
            }
        }
        return true;
    }

    /** Skips the rest of the line with its end. */
    void skipLine() {
        int next = text.indexOf('\n', at);
        at = next < 0 || next >= end ? end : next + 1;
    }

    ConfigNode.Place place() {
        return place(at);
    }

    ConfigNode.Place place(int position) {
        int found = Arrays.binarySearch(lines, position);
        int line = found >= 0 ? found : -found - 2;
        return new ConfigNode.Place(name, line + 1, position - lines[line] + 1);
    }

    /** What comes next, for a message. */
    String found() {
        if (ended()) {
            return end < text.length() ? "the end of the expression" : "the end of the file";
        }
        int to = at;
        while (to < end && to < at + 20 && !Character.isWhitespace(text.charAt(to))) {
            to++;
        }
        return to == at ? "the end of the line" : "\"" + text.substring(at, to) + "\"";
    }
}
