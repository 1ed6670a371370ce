package io.weir.proxy.program.match;

import io.weir.http.semantics.NormalPath;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Paths of rules in the form that requests are matched in ({@link NormalPath}): a rule that is written otherwise would never
 * hold, and what it is to deny would pass. Stateless.
 */
public final class LiteralPath {
    private LiteralPath() {}

    /** A prefix without the slash at its end; {@code /} stays. */
    public static String stripped(String prefix) {
        return prefix.length() > 1 ? withoutSlash(prefix) : prefix;
    }

    /** A prefix without the slash at its end; {@code /} becomes empty. */
    public static String withoutSlash(String prefix) {
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }

    /** The normal form of an exact path or a prefix; what no request line can hold becomes the escapes that clients send. */
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

    /**
     * What keeps a pattern from what it is meant for, or null. It is not rewritten: what is decoded could be one of its signs.
     *
     * @param match how the pattern is read: as a shell or regular expression
     */
    static @Nullable String problem(PathMatch match, String pattern) {
        String whole = pattern + "/";
        if (match == PathMatch.WILDCARD && (whole.contains("/./") || whole.contains("/../"))) {
            return "requests are matched after their dots are resolved, \"" + pattern + "\" has some";
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
                // one of many characters, and perhaps of those that are not to be there
                continue;
            }
            String found = c == '%' ? pattern.substring(i, Math.min(pattern.length(), i + 3)) : String.valueOf(c);
            String normal = of(found);
            if (!found.equals(normal)) {
                return "\"" + pattern + "\" has \"" + found + "\", and requests are matched with \"" + normal
                        + "\" in its place: write that";
            }
        }
        return null;
    }
}
