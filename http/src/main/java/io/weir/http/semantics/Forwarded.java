package io.weir.http.semantics;

import org.jspecify.annotations.Nullable;

/** The Forwarded field (RFC 7239) and its predecessors, the X-Forwarded-* fields. Stateless. */
public final class Forwarded {

    private Forwarded() {}

    /**
     * One member of Forwarded. A value that is not a token is quoted.
     *
     * @param by node that received the request, or null to omit it
     * @param client node that sent it, or null
     * @param host value of Host as received, or null
     * @param proto http or https, or null
     * @throws IllegalArgumentException if a value contains a control character
     */
    public static String element(
            @Nullable String by, @Nullable String client, @Nullable String host, @Nullable String proto) {
        StringBuilder out = new StringBuilder(64);
        pair(out, "by", by);
        pair(out, "for", client);
        pair(out, "host", host);
        pair(out, "proto", proto);
        return out.toString();
    }

    private static void pair(StringBuilder out, String name, @Nullable String value) {
        if (value == null) {
            return;
        }
        out.append(out.isEmpty() ? "" : ";").append(name).append('=');
        if (FieldScanner.isToken(value)) {
            out.append(value);
            return;
        }
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x7f) {
                throw new IllegalArgumentException("control or non-ASCII character in Forwarded, at " + i);
            }
            out.append(c == '"' || c == '\\' ? "\\" : "").append(c);
        }
        out.append('"');
    }

    /**
     * The node of an address (RFC 7239 6): IPv6 in brackets and without its zone, with the port if there is one.
     *
     * @param address IPv4 or IPv6 address in text form
     * @param port 1..65535, or 0 to omit it
     */
    public static String node(String address, int port) {
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        String host = plain.indexOf(':') < 0 ? plain : "[" + plain + "]";
        return port == 0 ? host : host + ":" + port;
    }

    /**
     * Appends a member to a list: Forwarded, X-Forwarded-For and the like. A list with an unterminated quoted string is
     * dropped, because it would swallow the member.
     */
    public static String append(@Nullable String existing, String element) {
        boolean kept = existing != null && !existing.isBlank() && FieldScanner.quotesClose(existing);
        return kept ? existing + ", " + element : element;
    }
}
