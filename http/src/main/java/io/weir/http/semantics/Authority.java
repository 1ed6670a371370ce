package io.weir.http.semantics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A host with an optional port (RFC 9110 4.2, RFC 3986 3.2). Immutable. Strict: a name holds letters, digits, {@code -},
 * {@code .}, {@code _} and {@code ~} alone, an IPv6 address stands in brackets and has no zone, user information is
 * refused. The host is in lower case; a final dot stays, as does every spelling of an address.
 *
 * @param host lower case; IPv6 with its brackets
 * @param port 0..65535, or {@link #NO_PORT} when none is given or the colon has nothing behind it
 */
public record Authority(String host, int port) {

    public static final int NO_PORT = -1;
    private static final int MAX_HOST = 255;

    /** The authority that the whole text is, or null. */
    public static @Nullable Authority parse(String text) {
        int colon = text.startsWith("[") ? closing(text) : text.indexOf(':');
        if (colon == -2) {
            return null;
        }
        String host = colon < 0 ? text : text.substring(0, colon);
        int port = colon < 0 ? NO_PORT : port(text, colon + 1);
        boolean valid = host.startsWith("[") ? isIpv6(host) : isName(host);
        return valid && port >= NO_PORT ? new Authority(host.toLowerCase(Locale.ROOT), port) : null;
    }

    /** Position of the colon behind the bracket, -1 when the text ends there, -2 when it is malformed. */
    private static int closing(String text) {
        int bracket = text.indexOf(']');
        if (bracket == text.length() - 1) {
            return -1;
        }
        return bracket > 0 && text.charAt(bracket + 1) == ':' ? bracket + 1 : -2;
    }

    private static int port(String text, int from) {
        if (from == text.length()) {
            return NO_PORT;
        }
        long port = text.length() - from > 5 ? -1 : DeltaSeconds.parseUpTo(text, from, text.length(), 65_536);
        return port < 0 || port > 65_535 ? -2 : (int) port;
    }

    private static boolean isName(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean allowed = isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
            if (!allowed) {
                return false;
            }
        }
        return !host.isEmpty() && host.length() <= MAX_HOST;
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** {@code [IPv6address]} of RFC 3986 3.2.2: eight groups, or fewer around one {@code ::}, the last two maybe IPv4. */
    private static boolean isIpv6(String bracketed) {
        String address = bracketed.substring(1, bracketed.length() - 1);
        int gap = address.indexOf("::");
        if (gap < 0) {
            return groups(address) == 8;
        }
        String head = address.substring(0, gap);
        String tail = address.substring(gap + 2);
        int before = head.isEmpty() ? 0 : head.indexOf('.') >= 0 ? -1 : groups(head);
        int after = tail.isEmpty() ? 0 : groups(tail);
        return before >= 0 && after >= 0 && before + after <= 7;
    }

    /** Groups of 16 bits in the text, or a negative number when it is malformed. */
    private static int groups(String text) {
        int count = 0;
        int from = 0;
        while (from <= text.length()) {
            int colon = text.indexOf(':', from);
            int to = colon < 0 ? text.length() : colon;
            if (colon < 0 && text.indexOf('.', from) >= 0) {
                return isIpv4(text.substring(from)) ? count + 2 : -100;
            }
            if (!isGroup(text, from, to) || ++count > 8) {
                return -100;
            }
            from = to + 1;
        }
        return count;
    }

    private static boolean isGroup(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
                return false;
            }
        }
        return to > from && to - from <= 4;
    }

    private static boolean isIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        for (String part : parts) {
            boolean plain = part.length() <= 3 && (part.length() == 1 || !part.startsWith("0"));
            long octet = plain ? DeltaSeconds.parseUpTo(part, 0, part.length(), 1000) : -1;
            if (octet < 0 || octet > 255) {
                return false;
            }
        }
        return parts.length == 4;
    }

    /** The port, or the one that the scheme implies. */
    public int portOr(int implied) {
        return port == NO_PORT ? implied : port;
    }

    /** {@code host} or {@code host:port}. */
    public String text() {
        return port == NO_PORT ? host : host + ":" + port;
    }
}
