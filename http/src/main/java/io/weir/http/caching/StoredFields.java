package io.weir.http.caching;

import io.weir.http.semantics.Hops;

/** The fields of a response that are stored (RFC 9111 3.1), and those that a 304 or a HEAD updates (3.2). */
public final class StoredFields {

    private StoredFields() {}

    /**
     * Whether the field is stored and sent with later responses.
     *
     * @param lowerCaseName name of the field
     * @param nominated the fields named by the response's Connection
     */
    public static boolean isStored(String lowerCaseName, Hops nominated, CacheControl control) {
        return !nominated.removes(lowerCaseName)
                && !Hops.isProxyCredential(lowerCaseName)
                && !lowerCaseName.equals("age")
                && !control.privateFields().contains(lowerCaseName)
                && !control.noCacheFields().contains(lowerCaseName);
    }

    /**
     * Whether the field of a 304, or of a 200 to HEAD, replaces the stored lines of its name (3.2). Not replaced are
     * fields that are not stored; fields that describe the stored bytes, which have not changed (length, coding, range,
     * digests); and Set-Cookie, because a response that was stored without a cookie would then send one client's cookie
     * to all. Age is replaced, though never stored: {@link Freshness#of} reads it from the updated fields.
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
