package io.weir.server.migrate.squid;

import io.weir.proxy.program.match.PathMatch;
import io.weir.server.migrate.draft.RouteDraft;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * POSIX expressions over URLs as those of Weir over whole request targets as they were sent. Squid decodes percent-encoded
 * characters first, so each character also matches its code; letters match in both cases, since Squid writes hosts in lower
 * case: what is refused is more than in the source, never less. Used once.
 */
final class SquidRegex {
    private static final String ESCAPED = "%[0-9a-f][0-9a-f]";
    private static final String PLAIN_SPECIAL = "\\.*+?()[]{}|^$";
    /** Other ways to write the authority or an empty path, which Squid would have brought into one form. */
    static final String UNUSUAL =
            "(?i)[a-z]+://([^/?#]*@.*|[^/?#]*:0*(80|443)?([/?#].*)?|[^/?#]*\\.(:[0-9]*)?([/?#].*)?"
                    + "|[^/?#]*([?#].*)?)";

    private final String regex;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private boolean wrong;

    private SquidRegex(String regex) {
        this.regex = regex;
    }

    /** An empty path, which Squid would have made a slash. */
    static final String NO_PATH = "(?i)[a-z]+://[^/?#]*([?#].*)?";

    /** Squid's own pages. */
    static final String MANAGER =
            "(?i)([a-z_]+://[^/]*)?/(s|%73)(q|%71)(u|%75)(i|%69)(d|%64)(-|%2d)(i|%69)(n|%6e)(t|%74)"
                    + "(e|%65)(r|%72)(n|%6e)(a|%61)(l|%6c)(-|%2d)(m|%6d)(g|%67)(r|%72).*|cache_object:.*";

    /** Names written as addresses or numbers. */
    static final String ADDRESSED = "(?i)([a-z]+://)?([^/?#]*@)?(\\[.*|[0-9.]+|0x[0-9a-fx.]*)(:[0-9]*)?([/?#].*)?";

    /** Over a whole URL; null: Weir has no such expression. */
    static @Nullable String url(String regex, SquidAccess.Kind kind) {
        // the target of a reverse request has no scheme and host
        return kind == SquidAccess.Kind.REVERSE ? null : whole("", regex);
    }

    /** Over the path of a URL. */
    static @Nullable String path(String regex, SquidAccess.Kind kind) {
        return whole(kind == SquidAccess.Kind.REVERSE ? "" : "[a-z]+://[^/?#]*", regex);
    }

    private static @Nullable String whole(String before, String regex) {
        StringBuilder all = new StringBuilder("(?i)");
        int n = 0;
        int depth = 0;
        int from = 0;
        boolean set = false;
        for (int i = 0; i <= regex.length(); i++) {
            char c = i == regex.length() ? '|' : regex.charAt(i);
            if (c == '\\') {
                i++;
                continue;
            }
            set = set ? c != ']' || i == from : c == '[';
            depth += set ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
            if (i >= regex.length() || (c == '|' && depth == 0 && !set)) {
                String part = alternative(before, regex.substring(from, Math.min(i, regex.length())));
                if (part == null) {
                    return null;
                }
                all.append(n++ == 0 ? "" : "|").append(part);
                from = i + 1;
            }
        }
        return RouteDraft.isPattern(PathMatch.REGEX, all.toString()) ? all.toString() : null;
    }

    private static @Nullable String alternative(String before, String regex) {
        boolean start = regex.startsWith("^");
        boolean end = regex.endsWith("$") && !regex.endsWith("\\$");
        SquidRegex inner = new SquidRegex(regex.substring(start ? 1 : 0, regex.length() - (end ? 1 : 0)));
        inner.all();
        if (inner.wrong) {
            return null;
        }
        return before + (start ? "" : ".*") + "(" + inner.out + ")" + (end ? "" : ".*");
    }

    private void all() {
        while (at < regex.length() && !wrong) {
            char c = regex.charAt(at++);
            switch (c) {
                case '\\' -> escape();
                case '.' -> out.append("(.|").append(ESCAPED).append(")");
                case '[' -> set();
                case '(', ')', '|', '*', '+', '?' -> out.append(c);
                case '{' -> counted();
                case '^', '$' -> wrong = true;
                default -> literal(c);
            }
        }
    }

    private void counted() {
        int close = regex.indexOf('}', at);
        if (close < 0 || !regex.substring(at, close).matches("[0-9]{1,3}(,[0-9]{0,3})?")) {
            wrong = true;
        } else {
            out.append('{').append(regex, at, close + 1);
            at = close + 1;
        }
    }

    private void escape() {
        if (at >= regex.length()) {
            wrong = true;
            return;
        }
        char c = regex.charAt(at++);
        if (Character.isLetterOrDigit(c)) {
            boolean known = "wWdDsS".indexOf(c) >= 0;
            wrong = !known;
            out.append("(\\").append(c).append('|').append(ESCAPED).append(')');
        } else {
            literal(c);
        }
    }

    private void literal(char c) {
        if (c > 0x7e || c < 0x20) {
            wrong = true;
            return;
        }
        String plain = PLAIN_SPECIAL.indexOf(c) >= 0 ? "\\" + c : String.valueOf(c);
        out.append('(')
                .append(plain)
                .append("|%")
                .append(String.format("%02x", (int) c).toLowerCase(Locale.ROOT))
                .append(')');
    }

    private void set() {
        int from = at;
        at += at < regex.length() && regex.charAt(at) == '^' ? 1 : 0;
        at += at < regex.length() && regex.charAt(at) == ']' ? 1 : 0;
        int close = regex.indexOf(']', at);
        String inner = close < 0 ? "" : regex.substring(from, close);
        if (close < 0 || inner.contains("[") || inner.contains("\\")) {
            // classes such as [:alpha:]
            wrong = true;
            return;
        }
        at = close + 1;
        out.append("([").append(inner).append("]|").append(ESCAPED).append(')');
    }
}
