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
 * The Vary field of a stored response, and the key that it makes of a request (RFC 9111 4.1). Two requests select the
 * same stored response exactly when their keys are equal. Immutable; lives with the stored responses of one URI.
 *
 * <p>Names are sorted and in lower case, so that order and spelling in Vary do not matter. Values are normalised where
 * their meaning stays the same: white space around commas, several lines or one; and for Accept-Encoding case, order
 * and space around semicolons, since a client that weighs two codings equally can decode both. Origins may take the
 * order of languages and media types for a preference (RFC 9110 12.5.4), and parameters may have case. Values of fields
 * that are no lists keep every character.
 *
 * <p>A field that each hop changes for each client selects nothing that a cache could know: with it in Vary no request
 * matches.
 */
public final class Vary {

    /** Names above this make the response unusable for any other request. */
    public static final int MAX_NAMES = 16;

    /** A response without Vary: the key of every request is empty. */
    public static final Vary NONE = new Vary(List.of(), true, false);

    private static final Vary STAR = new Vary(List.of(), false, false);
    private static final Vary OVER_LIMIT = new Vary(List.of(), false, true);
    private static final Vary ENCODING = new Vary(List.of("accept-encoding"), true, false);
    private static final int MAX_SORTED = 64;

    private static final Set<String> OF_EACH_HOP =
            Set.of("via", "forwarded", "x-forwarded-for", "x-real-ip", "client-cert", "client-cert-chain");

    /** What browsers send, so that the key of almost every request is found and not computed. */
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
     * The meaning of a Vary field. A star anywhere, or a member that is no field name, never matches.
     *
     * @param value all lines joined with commas, or null when there is none
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

    /** True when it is unmatchable only because it names more than {@link #MAX_NAMES} fields. */
    public boolean overLimit() {
        return overLimit;
    }

    /** True when every request matches: no field is named. */
    public boolean isEmpty() {
        return matchable && names.isEmpty();
    }

    /** Names of the fields that select, sorted, in lower case. */
    public List<String> names() {
        return names;
    }

    /**
     * The selecting key of a request: equal for two requests exactly when both match the same stored response. Empty
     * without Vary. Absent and empty fields differ. Must not be asked of what is not {@link #matchable}.
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

    /** True when a response stored for {@code first} may answer {@code second}, as far as Vary goes. */
    public boolean matches(Fields first, Fields second) {
        return matchable && key(first).equals(key(second));
    }

    /** The value as it counts for comparison. */
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

    /** The members of a list without the space around them; a value with an open quote is one member. */
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
