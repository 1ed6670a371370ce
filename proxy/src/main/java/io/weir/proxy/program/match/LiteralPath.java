package io.weir.proxy.program.match;

import io.weir.http.semantics.NormalPath;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Paths of rules in the form that requests are matched in ({@link NormalPath}): a rule written otherwise would never
 * match, and requests that it should deny would pass. Stateless.
 */
public final class LiteralPath {
    private LiteralPath() {}

    /** A prefix without its trailing slash; {@code /} stays. */
    public static String stripped(String prefix) {
        return prefix.length() > 1 ? withoutSlash(prefix) : prefix;
    }

    /** A prefix without its trailing slash; {@code /} becomes empty. */
    public static String withoutSlash(String prefix) {
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }

    /**
     * The normal form of an exact path or a prefix; characters that cannot occur in a request line become the escapes
     * that clients send.
     */
    public static String of(String path) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (b <= ' ' || b == 0x7f) {
                escaped.append(String.format("%%%02X", b & 0xff));
            } else {
                escaped.append((char) b);
            }
        }
        return NormalPath.of(escaped.toString());
    }

    private static boolean beginsElsewhere(PathMatch match, String pattern) {
        if (pattern.isEmpty() || !Character.isLetterOrDigit(pattern.charAt(0))) {
            return false;
        }
        // in a regular expression it may be optional
        return match == PathMatch.WILDCARD
                || (pattern.indexOf('|') < 0 && (pattern.length() == 1 || "?*{".indexOf(pattern.charAt(1)) < 0));
    }

    /**
     * Why a pattern cannot match what it is meant for, or null. It is not rewritten: a decoded character could be one
     * of the pattern's metacharacters.
     *
     * @param match how the pattern is read: as a shell or regular expression
     */
    public static @Nullable String problem(PathMatch match, String pattern) {
        String whole = pattern + "/";
        if (match == PathMatch.WILDCARD && (whole.contains("/./") || whole.contains("/../"))) {
            return "requests are matched after dot segments are resolved, \"" + pattern + "\" has some";
        }
        if (beginsElsewhere(match, pattern)) {
            return "paths begin with a slash, so \"" + pattern + "\" matches none; obj.conf has <If $url = \"...\"> and"
                    + " <Object ppath=\"...\"> for URLs, routes have hosts";
        }
        boolean set = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                c = pattern.charAt(++i);
            } else if (c == '[' || c == ']') {
                set = c == '[';
            }
            if (set) {
                // one of many characters, possibly of those that are excluded
                continue;
            }
            String found = c == '%' ? pattern.substring(i, Math.min(pattern.length(), i + 3)) : String.valueOf(c);
            String normal = of(found);
            if (!found.equals(normal)) {
                return "\"" + pattern + "\" has \"" + found + "\", and requests are matched with \"" + normal
                        + "\" in its place: write that instead";
            }
        }
        return null;
    }
}
