package io.weir.http.caching;

import io.weir.http.semantics.Hops;

/** Which fields of a response are stored (RFC 9111 3.1), and which a 304 or a HEAD updates (3.2). */
public final class StoredFields {

    private StoredFields() {}

    /**
     * True when the field is stored and sent again.
     *
     * @param lowerCaseName name of the field
     * @param nominated what the response's Connection names
     */
    public static boolean isStored(String lowerCaseName, Hops nominated, CacheControl control) {
        return !nominated.removes(lowerCaseName)
                && !Hops.isProxyCredential(lowerCaseName)
                && !lowerCaseName.equals("age")
                && !control.privateFields().contains(lowerCaseName)
                && !control.noCacheFields().contains(lowerCaseName);
    }

    /**
     * True when the field of a 304, or of a 200 to HEAD, replaces the stored lines of its name (3.2). Not replaced: what
     * is not stored; what describes the stored bytes, which did not change (length, coding, range, digests); and
     * Set-Cookie, which would turn a response that was stored because it sets no cookie into one that hands the cookie of
     * one client to all. Age is replaced, though never stored: {@link Freshness#of} reads it from the updated fields.
     */
    public static boolean isUpdated(String lowerCaseName, Hops nominated, CacheControl control) {
        return switch (lowerCaseName) {
            case "age" -> true;
            case "content-length",
                    "content-encoding",
                    "content-range",
                    "content-md5",
                    "content-digest",
                    "repr-digest",
                    "set-cookie",
                    "set-cookie2" -> false;
            default -> isStored(lowerCaseName, nominated, control);
        };
    }
}
