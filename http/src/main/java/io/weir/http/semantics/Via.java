package io.weir.http.semantics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The Via field (RFC 9110 7.6.3): the hops that forwarded a message, and loop detection. Stateless. */
public final class Via {

    private Via() {}

    /**
     * The value to forward.
     *
     * @param existing all received lines joined with commas, or null
     * @param version version of the received message, such as {@code 1.1}
     * @param pseudonym name of this proxy, a token that no other hop uses
     */
    public static String append(@Nullable String existing, String version, String pseudonym) {
        if (!FieldScanner.isToken(pseudonym)) {
            throw new IllegalArgumentException("pseudonym is not a token: " + pseudonym);
        }
        String own = version + " " + pseudonym;
        return existing == null || existing.isBlank() ? own : existing + ", " + own;
    }

    /**
     * Whether this proxy already forwarded the message: its pseudonym is the received-by of a member, in any case, with
     * or without a port and a comment.
     */
    public static boolean passedThrough(@Nullable String via, String pseudonym) {
        return walk(via, pseudonym) < 0;
    }

    /** Number of hops in the field. */
    public static int hops(@Nullable String via) {
        return walk(via, "");
    }

    /** Counts the members; -1 if one was received by the pseudonym. */
    private static int walk(@Nullable String via, String pseudonym) {
        if (via == null) {
            return 0;
        }
        String wanted = pseudonym.toLowerCase(Locale.ROOT);
        boolean comments = true;
        int count = 0;
        int at = skip(via, 0, ", \t");
        while (at < via.length()) {
            int receivedBy = skip(via, until(via, at, " \t,"), " \t");
            int end = until(via, receivedBy, " \t,(");
            if (!wanted.isEmpty() && names(via.substring(receivedBy, end), wanted)) {
                return -1;
            }
            count++;
            int comma = comments ? afterComments(via, end) : until(via, end, ",");
            if (comma < 0) {
                comments = false;
                comma = until(via, end, ",");
            }
            at = skip(via, comma, ", \t");
        }
        return count;
    }

    private static boolean names(String receivedBy, String wanted) {
        int colon = receivedBy.lastIndexOf(':');
        String name = receivedBy.toLowerCase(Locale.ROOT);
        return name.equals(wanted) || (colon > 0 && name.substring(0, colon).equals(wanted));
    }

    private static int skip(String s, int from, String chars) {
        int at = from;
        while (at < s.length() && chars.indexOf(s.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    private static int until(String s, int from, String chars) {
        int at = from;
        while (at < s.length() && chars.indexOf(s.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /**
     * The next comma outside comments, which nest and may contain commas (RFC 9110 5.6.5), or the end; -1 if a comment
     * is not terminated. An unterminated comment is not treated as one, because it would hide all following hops.
     */
    private static int afterComments(String s, int from) {
        int depth = 0;
        for (int i = from; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '(') {
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
            } else if (c == '\\' && depth > 0) {
                i++;
            } else if (c == ',' && depth == 0) {
                return i;
            }
        }
        return depth > 0 ? -1 : s.length();
    }
}
