package io.weir.proxy.program.match;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hosts as written in a configuration: a name, an IPv6 address in brackets, or {@code *.name} for all subdomains of a
 * name.
 */
public final class HostPattern {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?");
    private static final Pattern ADDRESS = Pattern.compile("\\[[0-9A-Fa-f:.]+]");

    private HostPattern() {}

    /** What is wrong with it and what was expected; null: nothing. */
    public static @Nullable String problem(String text) {
        String pattern = of(text);
        String name = pattern.startsWith("*.") ? pattern.substring(2) : pattern;
        return NAME.matcher(name).matches() || ADDRESS.matcher(pattern).matches()
                ? null
                : "expected a host name, *.name, or an IPv6 address in brackets, without scheme and port, found \""
                        + text + "\"";
    }

    /** The form that hosts of requests are compared with: lower case, without trailing dots. */
    public static String of(String text) {
        int end = text.length();
        while (end > 1 && text.charAt(end - 1) == '.' && text.charAt(end - 2) != '*') {
            end--;
        }
        return text.substring(0, end).toLowerCase(Locale.ROOT);
    }

    /** Whether a pattern in that form matches a host in that form. */
    public static boolean matches(String pattern, String host) {
        return pattern.startsWith("*.") ? host.endsWith(pattern.substring(1)) : host.equals(pattern);
    }
}
