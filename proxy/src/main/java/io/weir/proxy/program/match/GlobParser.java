package io.weir.proxy.program.match;

import java.util.BitSet;

/**
 * Parses shell expressions, the wildcard patterns of the Sun proxy: {@code *} any text, {@code ?} any character, {@code
 * [a-z]} and {@code [^a-z]}, {@code (one|other)}, and a backslash before a literal character. {@code ~} (except) is
 * split off by {@link Patterns}. Used once.
 */
final class GlobParser extends PatternParser {
    GlobParser(String pattern) {
        super(pattern);
    }

    @Override
    boolean ends() {
        return false;
    }

    @Override
    PatternNode item() {
        int c = take("an expression");
        return switch (c) {
            case '*' -> new PatternNode.Repeat(PatternNode.One.any(), 0, -1);
            case '?' -> PatternNode.One.any();
            case '[' -> set();
            case '(' -> group();
            case '\\' -> new PatternNode.One(escape());
            default -> PatternNode.One.of(c);
        };
    }

    @Override
    BitSet escape() {
        return PatternNode.One.of(take("what the backslash escapes")).bytes();
    }
}
