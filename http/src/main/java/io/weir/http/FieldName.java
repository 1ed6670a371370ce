package io.weir.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The field names known to Weir, found without allocation through a hash over the length and three characters. At most
 * 127, so that an id fits a byte and presence flags fit two longs. Immutable.
 */
public enum FieldName {
    ACCEPT,
    ACCEPT_CHARSET,
    ACCEPT_ENCODING,
    ACCEPT_LANGUAGE,
    ACCEPT_PATCH,
    ACCEPT_POST,
    ACCEPT_RANGES,
    ACCESS_CONTROL_ALLOW_CREDENTIALS,
    ACCESS_CONTROL_ALLOW_HEADERS,
    ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS,
    ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD,
    AGE,
    ALLOW,
    ALT_SVC,
    ALT_USED,
    AUTHENTICATION_INFO,
    AUTHORIZATION,
    CACHE_CONTROL,
    CACHE_STATUS,
    CDN_CACHE_CONTROL,
    CDN_LOOP,
    CLEAR_SITE_DATA,
    CLIENT_CERT,
    CLIENT_CERT_CHAIN,
    CLIENT_IP,
    CONNECTION,
    CONTENT_DIGEST,
    CONTENT_DISPOSITION,
    CONTENT_ENCODING,
    CONTENT_LANGUAGE,
    CONTENT_LENGTH,
    CONTENT_LOCATION,
    CONTENT_MD5("Content-MD5"),
    CONTENT_RANGE,
    CONTENT_SECURITY_POLICY,
    CONTENT_TYPE,
    COOKIE,
    DATE,
    DESTINATION,
    DNT("DNT"),
    EARLY_DATA,
    ETAG("ETag"),
    EXPECT,
    EXPIRES,
    FORWARDED,
    FROM,
    HOST,
    HTTP2_SETTINGS("HTTP2-Settings"),
    IF_MATCH,
    IF_MODIFIED_SINCE,
    IF_NONE_MATCH,
    IF_RANGE,
    IF_UNMODIFIED_SINCE,
    KEEP_ALIVE,
    LAST_MODIFIED,
    LINK,
    LOCATION,
    MAX_FORWARDS,
    ORIGIN,
    PERMISSIONS_POLICY,
    PRAGMA,
    PREFER,
    PRIORITY,
    PROXY_AUTHENTICATE,
    PROXY_AUTHENTICATION_INFO,
    PROXY_AUTHORIZATION,
    PROXY_CONNECTION,
    PROXY_STATUS,
    RANGE,
    REFERER,
    REFERRER_POLICY,
    RETRY_AFTER,
    SEC_CH_UA("Sec-CH-UA"),
    SEC_CH_UA_MOBILE("Sec-CH-UA-Mobile"),
    SEC_CH_UA_PLATFORM("Sec-CH-UA-Platform"),
    SEC_FETCH_DEST,
    SEC_FETCH_MODE,
    SEC_FETCH_SITE,
    SEC_FETCH_USER,
    SEC_WEBSOCKET_ACCEPT("Sec-WebSocket-Accept"),
    SEC_WEBSOCKET_EXTENSIONS("Sec-WebSocket-Extensions"),
    SEC_WEBSOCKET_KEY("Sec-WebSocket-Key"),
    SEC_WEBSOCKET_PROTOCOL("Sec-WebSocket-Protocol"),
    SEC_WEBSOCKET_VERSION("Sec-WebSocket-Version"),
    SERVER,
    SERVER_TIMING,
    SET_COOKIE,
    STRICT_TRANSPORT_SECURITY,
    SURROGATE_CAPABILITY,
    SURROGATE_CONTROL,
    TE("TE"),
    TRACEPARENT,
    TRACESTATE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    UPGRADE_INSECURE_REQUESTS,
    USER_AGENT,
    VARY,
    VIA,
    WARNING,
    WWW_AUTHENTICATE("WWW-Authenticate"),
    X_CACHE,
    X_CONTENT_TYPE_OPTIONS,
    X_FORWARDED_FOR,
    X_FORWARDED_HOST,
    X_FORWARDED_PORT,
    X_FORWARDED_PROTO,
    X_FRAME_OPTIONS,
    X_POWERED_BY,
    X_REAL_IP("X-Real-IP"),
    X_REQUEST_ID("X-Request-ID"),
    X_REQUESTED_WITH,
    X_XSS_PROTECTION("X-XSS-Protection");

    private static final int SLOTS = 1024;
    private static final FieldName[] ALL = values();
    private static final byte[][] CANONICAL = new byte[ALL.length][];
    private static final byte[][] LINE_START = new byte[ALL.length][];
    // per slot of the hash table: the name, and its spellings alongside to save indirections
    private static final @Nullable FieldName[] NAMES = new @Nullable FieldName[SLOTS];
    private static final byte[][] CANONICAL_AT = new byte[SLOTS][];
    private static final byte[][] LOWER_AT = new byte[SLOTS][];

    static {
        for (FieldName name : ALL) {
            byte[] canonical = Ascii.bytes(name.canonical);
            int slot = slot(canonical, 0, canonical.length);
            while (NAMES[slot] != null) slot = (slot + 1) & (SLOTS - 1);
            NAMES[slot] = name;
            CANONICAL[name.index] = canonical;
            LINE_START[name.index] = Ascii.bytes(name.canonical + ": ");
            CANONICAL_AT[slot] = canonical;
            LOWER_AT[slot] = Ascii.bytes(name.lower);
        }
    }

    private final int index;
    private final String canonical;
    private final String lower;

    FieldName() {
        this.index = Numbers.next++;
        this.canonical = capitalise(name());
        this.lower = canonical.toLowerCase(Locale.ROOT);
    }

    FieldName(String canonical) {
        this.index = Numbers.next++;
        this.canonical = canonical;
        this.lower = canonical.toLowerCase(Locale.ROOT);
    }

    // an enum's constructor must not access the enum's own static fields
    private static final class Numbers {
        private static int next;
    }

    private static String capitalise(String constant) {
        StringBuilder text = new StringBuilder(constant.length());
        boolean first = true;
        for (int i = 0; i < constant.length(); i++) {
            char c = constant.charAt(i);
            text.append(c == '_' ? '-' : first ? c : (char) (c + 32));
            first = c == '_';
        }
        return text.toString();
    }

    // setting the 0x20 bit gives both cases of a letter the same slot
    private static int slot(byte[] buf, int from, int to) {
        int length = to - from;
        int hash = length
                + (buf[from] | 0x20) * 31
                + (buf[to - 1] | 0x20) * 961
                + (buf[from + (length >> 1)] | 0x20) * 29791;
        return (hash * 0x9E3779B1) >>> 22;
    }

    /** The spelling of its specification, for example {@code Content-Length}. */
    public String canonical() {
        return canonical;
    }

    /** The name in lower case, for example {@code content-length}. */
    public String lower() {
        return lower;
    }

    byte[] canonicalBytes() {
        return CANONICAL[index];
    }

    /** The name followed by a colon and a space. */
    byte[] lineStart() {
        return LINE_START[index];
    }

    /** The name with this {@link #index()}. */
    static FieldName at(int index) {
        return ALL[index];
    }

    /** A small number that identifies the name, below 127. */
    int index() {
        return index;
    }

    /** The name spelled, in any case, by bytes {@code [from, to)}; null if it is unknown. Allocates nothing. */
    public static @Nullable FieldName of(byte[] buf, int from, int to) {
        int length = to - from;
        if (length <= 0) return null;
        int slot = slot(buf, from, to);
        for (FieldName name = NAMES[slot]; name != null; name = NAMES[slot]) {
            byte[] canonical = CANONICAL_AT[slot];
            boolean same = canonical.length == length
                    && (Ascii.same(canonical, buf, from) || Ascii.sameIgnoreCase(LOWER_AT[slot], buf, from));
            if (same) return name;
            slot = (slot + 1) & (SLOTS - 1);
        }
        return null;
    }

    /** The name spelled, in any case, by {@code name}; null if it is unknown. */
    public static @Nullable FieldName of(String name) {
        for (int i = 0; i < name.length(); i++) if (name.charAt(i) > 0x7F) return null;
        byte[] buf = Ascii.bytes(name);
        return of(buf, 0, buf.length);
    }
}
