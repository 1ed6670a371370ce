package io.weir.proxy.program.match;

import org.jspecify.annotations.Nullable;

/** Paths of rules as shell expressions, in the syntax of {@code assign-name from}. Stateless. */
public final class Globs {
    private static final String SPECIAL = "*?[]()|~\\";

    private Globs() {}

    /** The shell expression equivalent to the rule's path; a regular expression is returned unchanged. */
    public static String from(RuleCondition.@Nullable PathRule path) {
        if (path == null) {
            return "*";
        }
        return switch (path.match()) {
            case WILDCARD, REGEX -> path.text();
            case EXACT -> escape(path.text());
            case PREFIX -> prefix(path.text());
        };
    }

    private static String prefix(String text) {
        if (text.equals("/")) {
            return "*";
        }
        String literal = escape(LiteralPath.stripped(text));
        return text.endsWith("/") ? literal + "/*" : "(" + literal + "|" + literal + "/*)";
    }

    static String escape(String literal) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            if (SPECIAL.indexOf(c) >= 0) {
                b.append('\\');
            }
            b.append(c);
        }
        return b.toString();
    }

    /** The only text that a shell expression matches, {@code *} if it matches every text, or null. */
    static @Nullable String plain(String glob) {
        if (glob.equals("*")) {
            return glob;
        }
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            if (c == '\\' && i + 1 < glob.length()) {
                b.append(glob.charAt(++i));
            } else if (SPECIAL.indexOf(c) >= 0) {
                return null;
            } else {
                b.append(c);
            }
        }
        // a literal star must not mean every text
        return b.toString().equals("*") ? null : b.toString();
    }
}
