package io.weir.server.migrate.nginx;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Expressions of PCRE that match a part of a decoded path, as those of Weir that match a whole path in its normal form: in
 * it a blank, for instance, is {@code %20}. Visible characters that a client encodes are left to Weir, which refuses what
 * it would decide otherwise if they were not. Used once.
 */
final class NginxRegex {
    private static final String SPECIAL = "\\.*+?()[]{}|^$";
    /** Any characters, where what follows could otherwise match the digits of an escape. */
    private static final String ANYTHING = "(?:[^%]|%..)*";

    private static final String SPECIAL_IN_SET = "\\[]^-&";
    /** The bytes that are percent-encoded in a path's normal form. */
    private static final int INVISIBLE = 256 - (0x7f - 0x21) + 1;

    private final String regex;
    private final boolean ignoreCase;
    private final StringBuilder whole = new StringBuilder();
    private final StringBuilder out = new StringBuilder();
    private int at;
    private int depth;
    private boolean fromStart;
    private boolean toEnd;
    private boolean outside;
    private boolean unknown;

    private NginxRegex(String regex, boolean ignoreCase) {
        // one character for each byte, as nginx compares
        this.regex = new String(regex.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        this.ignoreCase = ignoreCase;
    }

    /** The expression over normal paths; null: it has something that Weir's expressions have not. */
    static @Nullable String overPaths(String regex, boolean ignoreCase) {
        NginxRegex made = new NginxRegex(regex, ignoreCase);
        made.outside = made.isOutsideEscapes(0);
        made.all();
        made.alternative(false);
        return made.unknown ? null : (ignoreCase ? "(?i)" : "") + made.whole;
    }

    /** Ends an alternative: anchors belong to it alone. */
    private void alternative(boolean more) {
        unknown |= depth != 0;
        whole.append(fromStart ? "" : outside ? ".*" : ANYTHING)
                .append('(')
                .append(out)
                .append(')');
        // a dollar sign also stands before a last line feed
        whole.append(toEnd ? "(?:%0A)?" : ".*");
        whole.append(more ? "|" : "");
        out.setLength(0);
        fromStart = false;
        toEnd = false;
        outside = isOutsideEscapes(at);
    }

    private void all() {
        while (at < regex.length() && !unknown) {
            char c = regex.charAt(at++);
            switch (c) {
                case '\\' -> atom(escaped());
                case '.' -> atom(without(one('\n')));
                case '[' -> atom(set());
                case '(' -> group();
                case ')' -> {
                    out.append(c);
                    unknown |= --depth < 0;
                }
                case '*', '+', '?' -> {
                    out.append(c);
                    repeated();
                }
                case '{' -> braces();
                case '|' -> alternatives();
                case '^' -> start();
                case '$' -> end();
                default -> atom(one(c));
            }
        }
    }

    private void alternatives() {
        if (depth > 0) {
            out.append('|');
        } else {
            alternative(true);
        }
    }

    private void start() {
        unknown |= depth > 0 || out.length() > 0 || fromStart;
        fromStart = true;
    }

    private void end() {
        boolean last = at == regex.length() || regex.charAt(at) == '|';
        unknown |= depth > 0 || !last;
        toEnd = true;
    }

    /** Which of several matches is found makes no difference to whether there is one; giving back what matched does. */
    private void repeated() {
        if (at < regex.length() && regex.charAt(at) == '?') {
            at++;
        } else if (at < regex.length() && regex.charAt(at) == '+') {
            unknown = true;
        }
    }

    private void braces() {
        int close = regex.indexOf('}', at);
        if (close > 0 && regex.substring(at, close).matches("[0-9]{1,3}(,[0-9]{0,3})?")) {
            out.append('{').append(regex, at, close + 1);
            at = close + 1;
            repeated();
        } else {
            atom(one('{'));
        }
    }

    private void group() {
        depth++;
        if (at >= regex.length() || regex.charAt(at) != '?') {
            out.append('(');
            return;
        }
        int name = regex.startsWith("?P<", at) ? at + 3 : regex.startsWith("?<", at) ? at + 2 : -1;
        int end = name < 0 ? -1 : regex.indexOf('>', name);
        if (regex.startsWith("?:", at)) {
            out.append("(?:");
            at += 2;
        } else if (end > name && regex.substring(name, end).matches("[A-Za-z_][A-Za-z0-9_]*")) {
            out.append('(');
            at = end + 1;
        } else {
            unknown = true;
        }
    }

    /** The bytes of an escape, behind its backslash. */
    private BitSet escaped() {
        char c = at < regex.length() ? regex.charAt(at++) : 'Q';
        BitSet some = new BitSet();
        switch (c) {
            case 'd', 'D' -> some.set('0', '9' + 1);
            case 'w', 'W' -> {
                some.set('0', '9' + 1);
                some.set('A', 'Z' + 1);
                some.set('a', 'z' + 1);
                some.set('_');
            }
            case 's', 'S' -> {
                some.set('\t', '\r' + 1);
                some.set(' ');
            }
            case 'h', 'H' -> {
                some.set('\t');
                some.set(' ');
                some.set(0xa0);
            }
            case 't' -> some.set('\t');
            case 'n' -> some.set('\n');
            case 'r' -> some.set('\r');
            case 'f' -> some.set('\f');
            case 'e' -> some.set(0x1b);
            case 'a' -> some.set(7);
            case 'x' -> {
                unknown |=
                        at + 2 > regex.length() || !regex.substring(at, at + 2).matches("[0-9A-Fa-f]{2}");
                if (!unknown) {
                    some.set(Integer.parseInt(regex.substring(at, at + 2), 16));
                    at += 2;
                }
            }
            default -> {
                unknown |= Character.isLetterOrDigit(c);
                some.set(c);
            }
        }
        return "DWSH".indexOf(c) >= 0 ? without(some) : some;
    }

    private BitSet set() {
        boolean negated = at < regex.length() && regex.charAt(at) == '^';
        at += negated ? 1 : 0;
        BitSet some = new BitSet();
        boolean first = true;
        while (at < regex.length() && !unknown && (first || regex.charAt(at) != ']')) {
            first = false;
            BitSet low = member();
            boolean range = at + 1 < regex.length() && regex.charAt(at) == '-' && regex.charAt(at + 1) != ']';
            if (range) {
                at++;
                BitSet high = member();
                // a range from or to a class of characters, or one that goes down, is nothing that people write
                unknown |= low.cardinality() != 1 || high.cardinality() != 1 || low.length() > high.length();
                some.set(Math.min(low.length(), high.length()) - 1, high.length());
            }
            some.or(low);
        }
        unknown |= at >= regex.length();
        at++;
        for (int b = some.nextSetBit(0); ignoreCase && b >= 0; b = some.nextSetBit(b + 1)) {
            if (b < 0x80 && Character.isLetter(b)) {
                some.set(b ^ 0x20);
            }
        }
        return negated ? without(some) : some;
    }

    private BitSet member() {
        int close = regex.startsWith("[:", at) ? regex.indexOf(":]", at) : -1;
        if (close > 0) {
            String name = regex.substring(at + 2, close);
            at = close + 2;
            return name.startsWith("^") ? without(named(name.substring(1))) : named(name);
        }
        if (at >= regex.length() || regex.startsWith("[.", at) || regex.startsWith("[=", at)) {
            unknown = true;
            return one('[');
        }
        char c = regex.charAt(at++);
        return c == '\\' ? escaped() : one(c);
    }

    /** A class of POSIX, of ASCII as in the locale C. */
    private BitSet named(String name) {
        BitSet some = new BitSet();
        for (int b = 0; b < 0x80; b++) {
            boolean letter = Character.isLetter(b);
            boolean graphic = b > ' ' && b < 0x7f;
            some.set(
                    b,
                    switch (name) {
                        case "alpha" -> letter;
                        case "digit" -> Character.isDigit(b);
                        case "alnum" -> Character.isLetterOrDigit(b);
                        case "word" -> Character.isLetterOrDigit(b) || b == '_';
                        case "upper" -> Character.isUpperCase(b);
                        case "lower" -> Character.isLowerCase(b);
                        case "xdigit" -> Character.digit(b, 16) >= 0;
                        case "space" -> b == ' ' || (b >= '\t' && b <= '\r');
                        case "blank" -> b == ' ' || b == '\t';
                        case "cntrl" -> b < ' ' || b == 0x7f;
                        case "graph" -> graphic;
                        case "print" -> graphic || b == ' ';
                        case "punct" -> graphic && !Character.isLetterOrDigit(b);
                        default -> {
                            unknown = true;
                            yield false;
                        }
                    });
        }
        return some;
    }

    private static BitSet one(int b) {
        BitSet one = new BitSet();
        one.set(b);
        return one;
    }

    private static BitSet without(BitSet some) {
        BitSet all = new BitSet();
        all.set(0, 256);
        all.andNot(some);
        return all;
    }

    private static boolean visible(int b) {
        return b > ' ' && b < 0x7f && b != '%';
    }

    private void atom(BitSet bytes) {
        BitSet raw = new BitSet();
        BitSet encoded = new BitSet();
        bytes.stream().forEach(b -> (visible(b) ? raw : encoded).set(b));
        unknown |= bytes.isEmpty();
        if (encoded.isEmpty()) {
            out.append(raw.cardinality() == 1 ? literal(raw.nextSetBit(0)) : set(raw, false));
        } else if (isRun(encoded, raw)) {
            out.append(set(raw, true));
        } else {
            out.append("(?:").append(raw.isEmpty() ? "" : set(raw, false) + "|");
            out.append('%').append(codes(encoded)).append(')');
        }
    }

    /** Whether a character at this place of the expression is surely none of an escape's. */
    private boolean isOutsideEscapes(int from) {
        boolean dot = regex.startsWith("\\.", from);
        int after = from + (dot ? 2 : 1);
        boolean known = from < regex.length()
                && (dot || "/-_ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ".indexOf(regex.charAt(from)) >= 0);
        return known && (after >= regex.length() || "?*{|".indexOf(regex.charAt(after)) < 0);
    }

    /** Whether any number of them is any number of characters of the normal form, escapes included. */
    private boolean isRun(BitSet encoded, BitSet raw) {
        boolean repeated = at < regex.length() && "*+".indexOf(regex.charAt(at)) >= 0;
        int next = at + 1;
        while (next < regex.length() && regex.charAt(next) == ')') {
            next++;
        }
        boolean apart = next >= regex.length() || regex.charAt(next) == '$' || isOutsideEscapes(next);
        // the rest of a path may be anything, also what these do not match
        boolean rest = next >= regex.length() && repeated && regex.charAt(at) == '*';
        boolean all = encoded.cardinality() >= (rest ? INVISIBLE - 1 : INVISIBLE);
        for (char c : "0123456789ABCDEF".toCharArray()) {
            all &= raw.get(c);
        }
        return repeated && apart && all;
    }

    /** A set of the visible characters; {@code more}: and of all that is not one. */
    private static String set(BitSet raw, boolean more) {
        BitSet others = new BitSet();
        for (int b = 0; b < 0x7f; b++) {
            others.set(b, visible(b) && !raw.get(b));
        }
        if (more) {
            return others.isEmpty() ? "." : "[^" + members(others) + "]";
        }
        if (others.cardinality() < raw.cardinality()) {
            others.set('%');
            return "[^" + members(others) + "]";
        }
        return "[" + members(raw) + "]";
    }

    private static String members(BitSet some) {
        StringBuilder text = new StringBuilder();
        for (int b = some.nextSetBit(0); b >= 0; b = some.nextSetBit(b + 1)) {
            int end = some.nextClearBit(b) - 1;
            boolean range = end > b + 2 && Character.isLetterOrDigit(b) && Character.isLetterOrDigit(end);
            text.append(SPECIAL_IN_SET.indexOf(b) >= 0 ? "\\" : "").append((char) b);
            if (range) {
                text.append('-').append((char) end);
                b = end;
            }
        }
        return text.toString();
    }

    private static String literal(int b) {
        return (SPECIAL.indexOf(b) >= 0 ? "\\" : "") + (char) b;
    }

    /** The two digits of some escapes; those of visible characters may be among them, as no path has them. */
    private static String codes(BitSet encoded) {
        List<String> all = new ArrayList<>();
        StringBuilder whole = new StringBuilder();
        for (int high = 0; high < 256; high += 16) {
            StringBuilder low = new StringBuilder();
            boolean full = true;
            for (int b = high; b < high + 16; b++) {
                low.append(encoded.get(b) ? digit(b & 15) : "");
                full &= encoded.get(b) || visible(b);
            }
            if (full) {
                whole.append(digit(high >> 4));
            } else if (!low.isEmpty()) {
                all.add(digit(high >> 4) + (low.length() == 1 ? low : "[" + low + "]"));
            }
        }
        // those of 3 to 6 are all visible
        boolean some = encoded.cardinality() > 0 && !whole.toString().equals("3456");
        if (some) {
            all.add((whole.length() == 16 ? "[0-9A-F]" : "[" + whole + "]") + "[0-9A-F]");
        }
        return all.size() == 1 ? all.getFirst() : "(?:" + String.join("|", all) + ")";
    }

    private static String digit(int value) {
        return Integer.toHexString(value).toUpperCase(Locale.ROOT);
    }
}
