package io.weir.http.caching;

import io.weir.http.Fields;
import io.weir.http.semantics.FieldScanner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Vary field of a stored response, and the key that it derives from a request (RFC 9111 4.1). Two requests select
 * the same stored response exactly if their keys are equal. Immutable; lives with the stored responses of one URI.
 *
 * <p>Names are sorted and in lower case, so that order and spelling in Vary do not matter. Values are normalised if
 * their meaning is preserved: white space around commas, several lines or one; and for Accept-Encoding case, order and
 * space around semicolons, because a client that weights two codings equally can decode both. Origins may interpret the
 * order of languages and media types as a preference (RFC 9110 12.5.4), and parameters may be case-sensitive. Values of
 * fields that are not lists are kept unchanged.
 *
 * <p>A field that each hop changes for each client selects nothing that a cache could know: if Vary names one, no
 * request matches.
 */
public final class Vary {

    /** With more names than this the response cannot be used for any other request. */
    public static final int MAX_NAMES = 16;

    /** A response without Vary: the key of every request is empty. */
    public static final Vary NONE = new Vary(List.of(), true, false);

    private static final Vary STAR = new Vary(List.of(), false, false);
    private static final Vary OVER_LIMIT = new Vary(List.of(), false, true);
    private static final Vary ENCODING = new Vary(List.of("accept-encoding"), true, false);
    private static final int MAX_SORTED = 64;

    private static final Set<String> OF_EACH_HOP =
            Set.of("via", "forwarded", "x-forwarded-for", "x-real-ip", "client-cert", "client-cert-chain");

    /** Values that browsers send, so that the key of almost every request is looked up instead of computed. */
    private static final Map<String, String> USUAL_CODINGS = usual(
            "gzip, deflate, br, zstd",
            "gzip, deflate, br",
            "gzip, deflate",
            "gzip",
            "br",
            "identity",
            "br, gzip, deflate");

    private final List<String> names;
    private final boolean matchable;
    private final boolean overLimit;

    private static Map<String, String> usual(String... values) {
        return Stream.of(values).collect(Collectors.toUnmodifiableMap(value -> value, Vary::sorted));
    }

    private Vary(List<String> names, boolean matchable, boolean overLimit) {
        this.names = names;
        this.matchable = matchable;
        this.overLimit = overLimit;
    }

    /**
     * Parses a Vary field. A star anywhere, or a member that is not a field name, never matches.
     *
     * @param value all lines joined with commas, or null if there is none
     */
    public static Vary parse(@Nullable String value) {
        if (value == null) {
            return NONE;
        }
        if (value.equalsIgnoreCase("accept-encoding")) {
            return ENCODING;
        }
        TreeSet<String> names = new TreeSet<>();
        FieldScanner scanner = new FieldScanner(value);
        while (scanner.nextElement()) {
            String name = scanner.lowerToken();
            if (name == null || name.equals("*") || !scanner.atElementEnd() || OF_EACH_HOP.contains(name)) {
                return STAR;
            }
            if (names.add(name) && names.size() > MAX_NAMES) {
                return OVER_LIMIT;
            }
        }
        return names.isEmpty() ? NONE : new Vary(List.copyOf(names), true, false);
    }

    /** False for a star: no request matches (4.1). */
    public boolean matchable() {
        return matchable;
    }

    /** Whether it is unmatchable only because it names more than {@link #MAX_NAMES} fields. */
    public boolean overLimit() {
        return overLimit;
    }

    /** Whether every request matches because no field is named. */
    public boolean isEmpty() {
        return matchable && names.isEmpty();
    }

    /** Names of the selecting fields, sorted, in lower case. */
    public List<String> names() {
        return names;
    }

    /** Whether every request has the same {@link #key} by both. */
    public boolean selectsLike(Vary other) {
        return this == other || (matchable == other.matchable && names.equals(other.names));
    }

    /**
     * The selecting key of a request: equal for two requests exactly if both match the same stored response. Empty
     * without Vary. Absent and empty fields differ. Must not be called if not {@link #matchable}.
     */
    public String key(Fields request) {
        if (!matchable) {
            throw new IllegalStateException("Vary: * has no key");
        }
        if (names.isEmpty()) {
            return "";
        }
        String key = "";
        for (String name : names) {
            String value = request.combined(name);
            key = value == null ? key + name + '\n' : key + name + ':' + normalise(name, value) + '\n';
        }
        return key;
    }

    /** Whether a response stored for {@code first} may be used for {@code second}, as far as Vary is concerned. */
    public boolean matches(Fields first, Fields second) {
        return matchable && key(first).equals(key(second));
    }

    /** The value in the form used for comparison. */
    static String normalise(String name, String value) {
        return switch (name) {
            case "accept-encoding" -> codings(value);
            case "user-agent", "referer", "cookie", "authorization", "origin", "host", "date", "from", "range" -> value;
            default -> String.join(",", members(value));
        };
    }

    private static String codings(String value) {
        String usual = USUAL_CODINGS.get(value);
        return usual != null ? usual : sorted(value);
    }

    private static String sorted(String value) {
        List<String> members = members(value.toLowerCase(Locale.ROOT));
        if (members.size() > MAX_SORTED) {
            return String.join(",", members);
        }
        String[] array = members.toArray(String[]::new);
        for (int i = 0; i < array.length; i++) {
            array[i] = withoutSpaceAtSemicolons(array[i]);
        }
        Arrays.sort(array);
        return String.join(",", array);
    }

    private static String withoutSpaceAtSemicolons(String member) {
        if (member.indexOf(';') < 0 || member.indexOf('"') >= 0) {
            return member;
        }
        String[] parts = member.split(";", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].strip();
        }
        return String.join(";", parts);
    }

    /** The members of a list without surrounding space; a value with an unterminated quote is one member. */
    private static List<String> members(String value) {
        List<String> members = new ArrayList<>();
        FieldScanner scanner = new FieldScanner(value);
        while (scanner.nextElement()) {
            int from = scanner.position();
            if (!scanner.skipElement()) {
                return List.of(value);
            }
            members.add(value.substring(from, scanner.position()).strip());
        }
        return members;
    }
}
