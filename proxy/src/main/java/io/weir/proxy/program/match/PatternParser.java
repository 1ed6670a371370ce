package io.weir.proxy.program.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Parses patterns over bytes: the common part of regular expressions and shell expressions. Used once.
 *
 * @see RegexParser
 * @see GlobParser
 */
abstract sealed class PatternParser permits RegexParser, GlobParser {
    private static final int MAX_LENGTH = 1024;
    private static final int MAX_DEPTH = 32;

    final byte[] text;
    int at;
    private int depth;

    PatternParser(String pattern) {
        if (pattern.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a pattern has at most " + MAX_LENGTH + " characters");
        }
        for (int i = 0; i < pattern.length(); i++) {
            if (pattern.charAt(i) > 0xff) {
                throw new IllegalArgumentException(
                        "a pattern is compared with bytes: escape \"" + pattern.charAt(i) + "\" as URLs do, at " + i);
            }
        }
        text = pattern.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The whole pattern. */
    PatternNode parse() {
        PatternNode node = choice();
        if (more()) {
            throw wrong("unexpected \"" + (char) text[at] + "\"");
        }
        return node;
    }

    boolean more() {
        return at < text.length;
    }

    boolean next(char c) {
        if (more() && text[at] == c) {
            at++;
            return true;
        }
        return false;
    }

    int take(String expected) {
        if (!more()) {
            throw wrong("expected " + expected + ", found the end");
        }
        return text[at++] & 0xff;
    }

    IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " (character " + at + " of the pattern \""
                + new String(text, StandardCharsets.ISO_8859_1) + "\")");
    }

    /** Branches separated by bars. */
    PatternNode choice() {
        if (++depth > MAX_DEPTH) {
            throw wrong("parentheses are nested too deeply");
        }
        List<PatternNode> branches = new ArrayList<>();
        do {
            branches.add(sequence());
        } while (next('|'));
        depth--;
        return branches.size() == 1 ? branches.getFirst() : new PatternNode.Choice(List.copyOf(branches));
    }

    private PatternNode sequence() {
        List<PatternNode> parts = new ArrayList<>();
        while (more() && text[at] != '|' && text[at] != ')' && !ends()) {
            parts.add(item());
        }
        return parts.size() == 1 ? parts.getFirst() : new PatternNode.Sequence(List.copyOf(parts));
    }

    PatternNode group() {
        PatternNode inner = choice();
        if (!next(')')) {
            throw wrong("a parenthesis is not closed");
        }
        return inner;
    }

    /** A set after its opening bracket. */
    PatternNode.One set() {
        BitSet set = new BitSet(256);
        boolean negated = next('^');
        boolean first = true;
        while (first || (more() && text[at] != ']')) {
            first = false;
            range(set);
        }
        if (!next(']')) {
            throw wrong("a bracket is not closed");
        }
        if (negated) {
            set.flip(0, 256);
        }
        return new PatternNode.One(set);
    }

    private void range(BitSet into) {
        BitSet low = element();
        int from = low.nextSetBit(0);
        boolean range = low.cardinality() == 1 && at + 1 < text.length && text[at] == '-' && text[at + 1] != ']';
        if (!range) {
            into.or(low);
            return;
        }
        at++;
        BitSet high = element();
        int to = high.nextSetBit(0);
        if (high.cardinality() != 1 || to < from) {
            throw wrong("the range is empty");
        }
        into.set(from, to + 1);
    }

    private BitSet element() {
        int c = take("a character");
        if (c == '\\') {
            return escape();
        }
        return PatternNode.One.of(c).bytes();
    }

    /** Whether the sequence ends here by a rule of the particular syntax. */
    abstract boolean ends();

    /** One item with its repetition. */
    abstract PatternNode item();

    /** The bytes of an escape, after its backslash. */
    abstract BitSet escape();
}
