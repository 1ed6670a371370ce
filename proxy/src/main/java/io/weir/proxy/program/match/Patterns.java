package io.weir.proxy.program.match;

import java.nio.charset.StandardCharsets;

/** Compiles the patterns of rules. Stateless. */
public final class Patterns {
    private Patterns() {}

    /**
     * Compiles a pattern over a whole path.
     *
     * @throws IllegalArgumentException saying what is wrong and where
     */
    public static PathPattern parse(PathMatch match, String text) {
        return switch (match) {
            case REGEX -> Automaton.of(new RegexParser(text).parse());
            case WILDCARD -> wildcard(text);
            case EXACT -> Automaton.of(new GlobParser(Globs.escape(text)).parse());
            case PREFIX -> wildcard(Globs.from(new RuleCondition.PathRule(PathMatch.PREFIX, text)));
        };
    }

    private static PathPattern wildcard(String text) {
        PathPattern simple = Affix.of(text);
        if (simple != null) {
            return simple;
        }
        int tilde = tilde(text);
        Automaton all = Automaton.of(new GlobParser(tilde < 0 ? text : text.substring(0, tilde)).parse());
        if (tilde < 0) {
            return all;
        }
        Automaton but = Automaton.of(new GlobParser(text.substring(tilde + 1)).parse());
        return (b, from, to) -> all.matches(b, from, to) && !but.matches(b, from, to);
    }

    /** Position of the {@code ~}, or -1. */
    static int tilde(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == '~') {
                return i;
            }
        }
        return -1;
    }

    /** The part that must match, as a tree: a pattern without the part excluded by {@code ~}. */
    static PatternNode tree(PathMatch match, String text) {
        if (match == PathMatch.REGEX) {
            return new RegexParser(text).parse();
        }
        int tilde = tilde(text);
        return new GlobParser(tilde < 0 ? text : text.substring(0, tilde)).parse();
    }

    /** Whether a text of ISO-8859-1 characters matches. */
    public static boolean matches(PathPattern pattern, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return pattern.matches(bytes, 0, bytes.length);
    }
}
