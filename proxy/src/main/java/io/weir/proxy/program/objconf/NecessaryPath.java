package io.weir.proxy.program.objconf;

import io.weir.proxy.program.match.LiteralPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.Patterns;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.match.RuleCondition.PathRule;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a condition demands of the path, so that rules with thousands of conditions are found by their index: the
 * condition is evaluated for requests whose path can fulfil it only. Stateless.
 */
final class NecessaryPath {
    private static final String PATH = "uri";
    private static final String ANY = ".*";

    private NecessaryPath() {}

    /** A rule that every path matches for which the condition holds; null: there is none that is simple. */
    static @Nullable PathRule of(Expression condition) {
        return switch (condition) {
            case Expression.Wildcard w when isPath(w.text()) -> rule(PathMatch.WILDCARD, w.written());
            case Expression.Regex r
            when r.wanted() && isPath(r.text()) -> regex(r.pattern().pattern());
            case Expression.Binary b when b.operator() == Expression.Infix.TEXT_EQUAL -> equal(b.left(), b.right());
            case Expression.Binary b when b.operator() == Expression.Infix.AND -> both(b.left(), b.right());
            default -> null;
        };
    }

    /** The shell expression that the path must match; null: it is not said in a simple way. */
    static @Nullable PathRule wildcard(String pattern) {
        return rule(PathMatch.WILDCARD, pattern);
    }

    /** Why a part of the condition that compares the path holds for no request; null: nothing is known to be wrong. */
    static @Nullable String never(Expression condition) {
        return switch (condition) {
            case Expression.Wildcard w when ofPath(w.text()) -> LiteralPath.problem(PathMatch.WILDCARD, w.written());
            case Expression.Regex r
            when ofPath(r.text()) ->
                LiteralPath.problem(PathMatch.REGEX, ANY + r.pattern().pattern());
            case Expression.Unary u -> never(u.operand());
            case Expression.Binary b -> {
                String compared = never(b.operator(), b.left(), b.right());
                String left = compared == null ? never(b.left()) : compared;
                yield left == null ? never(b.right()) : left;
            }
            default -> null;
        };
    }

    private static @Nullable String never(Expression.Infix operator, Expression left, Expression right) {
        Expression other = ofPath(left) ? right : ofPath(right) ? left : null;
        boolean equal = operator == Expression.Infix.TEXT_EQUAL || operator == Expression.Infix.TEXT_NOT_EQUAL;
        if (!equal || !(other instanceof Expression.Literal l) || !(l.value() instanceof String text)) {
            return null;
        }
        String normal = LiteralPath.of(text);
        return normal.equals(text)
                ? null
                : "requests are matched with \"" + normal + "\" in place of \"" + text + "\": write that instead";
    }

    /** Whether it is the request's path, or what that is mapped to: both are in their normal form. */
    private static boolean ofPath(Expression e) {
        return e instanceof Expression.Variable v
                && (v.name().equals(PATH) || v.name().equals("path"));
    }

    private static boolean isPath(Expression e) {
        return e instanceof Expression.Variable v && v.name().equals(PATH);
    }

    private static @Nullable PathRule equal(Expression left, Expression right) {
        Expression other = isPath(left) ? right : isPath(right) ? left : null;
        return other instanceof Expression.Literal l && l.value() instanceof String text && text.startsWith("/")
                ? rule(PathMatch.EXACT, text)
                : null;
    }

    /** The right side alone would hide that the left one has set the groups of a regular expression. */
    private static @Nullable PathRule both(Expression left, Expression right) {
        PathRule first = of(left);
        return first == null && !setsGroups(left) ? of(right) : first;
    }

    private static boolean setsGroups(Expression e) {
        return !(e instanceof Expression.Variable
                || e instanceof Expression.Literal
                || (e instanceof Expression.Wildcard w && !setsGroups(w.text()))
                || (e instanceof Expression.Entry entry && !setsGroups(entry.key()))
                || (e instanceof Expression.Unary u && !setsGroups(u.operand()))
                || (e instanceof Expression.Binary b && !setsGroups(b.left()) && !setsGroups(b.right())));
    }

    private static @Nullable PathRule rule(PathMatch match, String text) {
        try {
            PathRule rule = new PathRule(match, text);
            var _ = match == PathMatch.EXACT ? null : Patterns.parse(match, text);
            return rule;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A regular expression of which a part of the path is a match, as one of the whole path. */
    private static @Nullable PathRule regex(String pattern) {
        boolean ascii = pattern.chars().allMatch(c -> c >= ' ' && c < 0x7f);
        if (!ascii || pattern.startsWith("(?") || pattern.contains("[:")) {
            return null;
        }
        boolean begins = pattern.startsWith("^");
        boolean ends = pattern.endsWith("$") && !pattern.endsWith("\\$");
        String inner = pattern.substring(begins ? 1 : 0, pattern.length() - (ends ? 1 : 0));
        if ((begins || ends) && hasBranches(inner)) {
            return null;
        }
        return rule(PathMatch.REGEX, (begins ? "" : ANY) + "(" + inner + ")" + (ends ? "" : ANY));
    }

    /** Whether a bar stands outside parentheses, where an anchor belongs to one branch only. */
    private static boolean hasBranches(String pattern) {
        int depth = 0;
        for (int i = 0; i < pattern.length(); i++) {
            switch (pattern.charAt(i)) {
                case '\\' -> i++;
                case '[' -> {
                    int end = pattern.indexOf(']', i + 2);
                    if (end < 0) {
                        return true;
                    }
                    i = end;
                }
                case '(' -> depth++;
                case ')' -> depth--;
                case '|' -> {
                    if (depth == 0) {
                        return true;
                    }
                }
                default -> {
                    // part of a branch
                }
            }
        }
        return false;
    }

    /** The condition of a directive with a rule for its path; one that names a path itself keeps that. */
    static RuleCondition when(@Nullable PathRule path) {
        return path == null ? RuleCondition.ALWAYS : new RuleCondition(List.of(), null, path, Set.of(), Set.of());
    }
}
