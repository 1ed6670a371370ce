package io.weir.proxy.program.match;

import java.util.BitSet;
import java.util.Locale;

/**
 * Parses regular expressions over whole paths: {@code . [] () | * + ? {m,n} \d \w \s}, escapes, {@code (?i)} at the
 * start, and {@code ^ $} at the ends, where they have no effect. Features that need memory of the match (back
 * references, look-around) are not supported, so that matching is linear. Why not RE2/J: docs/adr. Used once.
 */
final class RegexParser extends PatternParser {
    private static final int MAX_REPEAT = 256;

    private boolean ignoreCase;

    RegexParser(String pattern) {
        super(pattern);
    }

    @Override
    PatternNode parse() {
        if (at + 4 <= text.length && text[0] == '(' && text[1] == '?' && text[2] == 'i' && text[3] == ')') {
            ignoreCase = true;
            at = 4;
        }
        next('^');
        return super.parse();
    }

    @Override
    boolean ends() {
        return false;
    }

    @Override
    PatternNode item() {
        PatternNode item = atom();
        while (more() && "*+?{".indexOf(text[at]) >= 0) {
            item = repeated(item);
        }
        return item;
    }

    private PatternNode repeated(PatternNode one) {
        PatternNode repeat;
        if (next('*')) {
            repeat = new PatternNode.Repeat(one, 0, -1);
        } else if (next('+')) {
            repeat = new PatternNode.Repeat(one, 1, -1);
        } else if (next('?')) {
            repeat = new PatternNode.Repeat(one, 0, 1);
        } else {
            at++;
            repeat = counted(one);
        }
        // lazy or greedy: the same paths match
        if (!next('?') && more() && text[at] == '+') {
            throw wrong("possessive repetition is not supported");
        }
        return repeat;
    }

    private PatternNode counted(PatternNode one) {
        int min = number();
        int max = min;
        if (next(',')) {
            max = more() && text[at] == '}' ? -1 : number();
        }
        if (!next('}') || (max >= 0 && max < min)) {
            throw wrong("expected {n}, {n,} or {n,m}");
        }
        return new PatternNode.Repeat(one, min, max);
    }

    private int number() {
        int n = 0;
        int start = at;
        while (more() && text[at] >= '0' && text[at] <= '9' && n <= MAX_REPEAT) {
            n = n * 10 + text[at++] - '0';
        }
        if (at == start || n > MAX_REPEAT) {
            throw wrong("expected a number up to " + MAX_REPEAT);
        }
        return n;
    }

    private PatternNode atom() {
        int c = take("an expression");
        return switch (c) {
            case '.' -> PatternNode.One.any();
            case '[' -> set();
            case '\\' -> new PatternNode.One(cased(escape()));
            case '(' -> {
                if (next('?') && !next(':')) {
                    throw wrong(refusedGroup());
                }
                yield group();
            }
            case '$' -> {
                if (more()) {
                    throw wrong("$ stands only at the end: the whole path is matched");
                }
                yield new PatternNode.Sequence(java.util.List.of());
            }
            case '^' -> throw wrong("^ stands only at the start: the whole path is matched");
            case '*', '+', '?', '{' -> throw wrong("there is nothing to repeat");
            default -> new PatternNode.One(cased(PatternNode.One.of(c).bytes()));
        };
    }

    /** Why a {@code (?} that is not {@code (?:} is rejected, in words. */
    private String refusedGroup() {
        boolean around = more() && (text[at] == '=' || text[at] == '!');
        boolean behind = at + 1 < text.length && text[at] == '<' && (text[at + 1] == '=' || text[at + 1] == '!');
        return around || behind
                ? "look-ahead and look-behind are not supported, since a text is read once"
                : "only (?: is supported behind (?";
    }

    @Override
    PatternNode.One set() {
        return new PatternNode.One(cased(super.set().bytes()));
    }

    private BitSet cased(BitSet set) {
        if (!ignoreCase) {
            return set;
        }
        BitSet both = (BitSet) set.clone();
        for (int c = 'a'; c <= 'z'; c++) {
            if (set.get(c) || set.get(c - 32)) {
                both.set(c);
                both.set(c - 32);
            }
        }
        return both;
    }

    @Override
    BitSet escape() {
        int c = take("what the backslash escapes");
        BitSet set = new BitSet(256);
        switch (c | 0x20) {
            case 'd' -> set.set('0', '9' + 1);
            case 'w' -> {
                set.set('0', '9' + 1);
                set.set('a', 'z' + 1);
                set.set('A', 'Z' + 1);
                set.set('_');
            }
            case 's' -> {
                set.set('\t', '\r' + 1);
                set.set(' ');
            }
            default -> {
                if (c >= '1' && c <= '9') {
                    throw wrong("back-references are not supported, since a text is read once");
                }
                if (Character.isLetterOrDigit(c)) {
                    throw wrong("the escape \\" + (char) c + " is not supported");
                }
                set.set(c);
                return set;
            }
        }
        String upper = String.valueOf((char) c);
        if (upper.equals(upper.toUpperCase(Locale.ROOT))) {
            set.flip(0, 256);
        }
        return set;
    }
}
