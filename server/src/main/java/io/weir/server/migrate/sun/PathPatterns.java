package io.weir.server.migrate.sun;

import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.server.migrate.draft.RouteDraft;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Patterns of {@code obj.conf} over paths as matches of routes, the most specific ones that say the same. Stateless. */
final class PathPatterns {
    private static final Pattern LITERAL = Pattern.compile("[A-Za-z0-9/_.,;:@=!&-]*");
    private static final Pattern TREE = Pattern.compile("(/.*/)\\*");

    private static final int MAX_ALTERNATIVES = 16;

    private PathPatterns() {}

    private static boolean isPlain(String path) {
        return path.startsWith("/")
                && LITERAL.matcher(path).matches()
                && LiteralPath.of(path).equals(path);
    }

    /** The path alone; null: no route matches it. */
    static @Nullable PathTest same(String path) {
        return isPlain(path) ? PathTest.of(PathMatch.EXACT, path) : null;
    }

    /** Whole segments; a slash at the end does not matter. */
    static @Nullable PathTest prefix(String path) {
        String bare = LiteralPath.stripped(LiteralPath.of(path));
        return path.startsWith("/") ? PathTest.of(PathMatch.PREFIX, bare) : null;
    }

    /** A shell expression without exceptions; null: no route matches it. */
    static @Nullable PathTest wildcard(String text) {
        if (text.equals("*") || text.equals("/*")) {
            return PathTest.ALL;
        }
        Matcher tree = TREE.matcher(text);
        if (isPlain(text)) {
            return PathTest.of(PathMatch.EXACT, text);
        }
        if (tree.matches() && isPlain(tree.group(1))) {
            return PathTest.of(PathMatch.PREFIX, tree.group(1));
        }
        boolean simple = text.indexOf('~') < 0 && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
        return simple && RouteDraft.isPath(PathMatch.WILDCARD, text) ? PathTest.of(PathMatch.WILDCARD, text) : null;
    }

    /** A shell expression with each of its alternatives in turn, unless there are many. */
    static List<String> each(String pattern) {
        int open = pattern.indexOf('(');
        int close = pattern.indexOf(')');
        boolean simple = open >= 0
                && close > open
                && pattern.indexOf('(', open + 1) < 0
                && pattern.indexOf('\\') < 0
                && pattern.indexOf('[') < 0;
        if (!simple) {
            return List.of(pattern);
        }
        String[] words = pattern.substring(open + 1, close).split("\\|", -1);
        return words.length > MAX_ALTERNATIVES
                ? List.of(pattern)
                : Arrays.stream(words)
                        .map(w -> pattern.substring(0, open) + w + pattern.substring(close + 1))
                        .toList();
    }

    /** A regular expression that is found in a path: one of these sets; null: no route says it. */
    static @Nullable List<PathTest> found(String regex) {
        if (regex.contains("(?")
                || regex.contains("[:")
                || regex.contains("[]")
                || regex.contains("[^]")
                || !regex.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return null;
        }
        List<PathTest> any = new ArrayList<>();
        for (String alternative : alternatives(regex)) {
            PathTest test = one(alternative);
            if (test == null) {
                return null;
            }
            any.add(test);
        }
        return any;
    }

    /** What stands between bars outside brackets. */
    private static List<String> alternatives(String regex) {
        List<String> all = new ArrayList<>();
        int depth = 0;
        boolean set = false;
        int from = 0;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\') {
                i++;
            } else if (set) {
                set = c != ']';
            } else if (c == '[') {
                set = true;
            } else if (c == '(' || c == ')') {
                depth += c == '(' ? 1 : -1;
            } else if (c == '|' && depth == 0) {
                all.add(regex.substring(from, i));
                from = i + 1;
            }
        }
        all.add(regex.substring(from));
        return all;
    }

    private static @Nullable PathTest one(String regex) {
        boolean start = regex.startsWith("^");
        boolean end = regex.endsWith("$") && !regex.endsWith("\\$");
        String core = regex.substring(start ? 1 : 0, Math.max(start ? 1 : 0, regex.length() - (end ? 1 : 0)));
        String literal = literal(core);
        if (literal != null) {
            if (start && end) {
                return same(literal);
            }
            String text = (start ? "" : "*") + literal + (end ? "" : "*");
            return text.equals("**") ? PathTest.ALL : wildcard(text);
        }
        boolean anchors = core.replaceAll("\\\\.|\\[\\^?[^\\]]*\\]", "").matches(".*[\\^$].*");
        boolean escapes = core.matches(".*\\\\[A-Za-z0-9].*");
        boolean sets = core.matches(".*\\[[^\\]]*[\\[\\\\].*");
        String whole = (start ? "" : ".*") + core + (end ? "" : ".*");
        return !anchors && !escapes && !sets && RouteDraft.isPath(PathMatch.REGEX, whole)
                ? PathTest.of(PathMatch.REGEX, whole)
                : null;
    }

    /** The text that an expression means; null: it is more than a text. */
    private static @Nullable String literal(String regex) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            boolean escaped = c == '\\' && i + 1 < regex.length();
            c = escaped ? regex.charAt(++i) : c;
            if (escaped ? Character.isLetterOrDigit(c) : ".*+?()[]{}|^$\\".indexOf(c) >= 0) {
                return null;
            }
            text.append(c);
        }
        return LITERAL.matcher(text).matches() ? text.toString() : null;
    }
}
