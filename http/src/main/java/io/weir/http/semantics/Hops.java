package io.weir.http.semantics;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one message that are hop-by-hop (RFC 9110 7.6.1): the fixed ones and those that Connection names.
 * Immutable; lives with its message. Messages with common Connection values share one object.
 *
 * <p>Connection may name its sender's extension fields, but not fields that every recipient needs: otherwise a client
 * could strip a credential, a trace of its address or a framing field on the way to the origin. Such names are not
 * removed but counted in {@link #refused}.
 */
public final class Hops {

    /** Names beyond this number in one Connection field are refused. */
    public static final int MAX_NOMINATED = 32;

    /** Only the fixed fields. */
    public static final Hops FIXED = new Hops(Set.of(), 0, false, false, false);

    private static final Hops CLOSE = new Hops(Set.of(), 0, true, false, false);
    private static final Hops KEEP_ALIVE = new Hops(Set.of(), 0, false, true, false);

    private final Set<String> nominated;
    private final int refused;
    private final boolean close;
    private final boolean keepAlive;
    private final boolean upgrade;

    private Hops(Set<String> nominated, int refused, boolean close, boolean keepAlive, boolean upgrade) {
        this.nominated = nominated;
        this.refused = refused;
        this.close = close;
        this.keepAlive = keepAlive;
        this.upgrade = upgrade;
    }

    /**
     * The hop-by-hop fields of a message.
     *
     * @param connection all lines of Connection joined with commas, or null. Members that are not tokens count as
     * refused
     */
    public static Hops of(@Nullable String connection) {
        if (connection == null) {
            return FIXED;
        }
        if (connection.equalsIgnoreCase("keep-alive")) {
            return KEEP_ALIVE;
        }
        return connection.equalsIgnoreCase("close") ? CLOSE : parse(connection);
    }

    /** The hop-by-hop fields according to a message's Connection fields. Common values allocate nothing. */
    public static Hops in(Fields fields) {
        int i = fields.indexOf(FieldName.CONNECTION, 0);
        if (i < 0) {
            return FIXED;
        }
        if (fields.indexOf(FieldName.CONNECTION, i + 1) < 0) {
            if (fields.valueIs(i, "keep-alive")) {
                return KEEP_ALIVE;
            }
            if (fields.valueIs(i, "close")) {
                return CLOSE;
            }
        }
        return of(fields.combined(FieldName.CONNECTION));
    }

    private static Hops parse(String connection) {
        Set<String> names = new TreeSet<>();
        int refused = 0;
        FieldScanner scanner = new FieldScanner(connection);
        while (scanner.nextElement()) {
            String name = scanner.lowerToken();
            if (name == null || !scanner.atElementEnd()) {
                scanner.skipElement();
                refused++;
            } else if (isEndToEnd(name) || (names.size() == MAX_NOMINATED && !names.contains(name))) {
                refused++;
            } else {
                names.add(name);
            }
        }
        boolean close = names.remove("close");
        boolean keepAlive = names.remove("keep-alive");
        boolean upgrade = names.contains("upgrade");
        return new Hops(Set.copyOf(names), refused, close, keepAlive, upgrade);
    }

    /** Whether a field of that name is neither forwarded nor stored. */
    public boolean removes(String lowerCaseName) {
        return isHopByHop(lowerCaseName) || nominated.contains(lowerCaseName);
    }

    /** Names that Connection nominated and that are removed, in lower case. */
    public Set<String> nominated() {
        return nominated;
    }

    /** Members of Connection that were ignored: protected names, invalid tokens, or above the limit. */
    public int refused() {
        return refused;
    }

    /** Whether Connection contains {@code close} (RFC 9112 9.6). */
    public boolean close() {
        return close;
    }

    /** Whether Connection contains {@code keep-alive}, which is relevant for HTTP/1.0 (RFC 9112 9.3). */
    public boolean keepAlive() {
        return keepAlive;
    }

    /** Whether Connection contains {@code upgrade}: without it the Upgrade field has no effect (RFC 9110 7.8). */
    public boolean upgrade() {
        return upgrade;
    }

    /**
     * Fields that are always hop-by-hop, named or not (RFC 9110 7.6.1). Trailer is kept, because Weir relays trailers.
     */
    public static boolean isHopByHop(String lowerCaseName) {
        return switch (lowerCaseName) {
            case "connection",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "transfer-encoding",
                    "upgrade",
                    "http2-settings" -> true;
            default -> false;
        };
    }

    /**
     * Credentials between a client and one proxy (RFC 9110 11.7), which are consumed by that proxy and never stored.
     */
    public static boolean isProxyCredential(String lowerCaseName) {
        return switch (lowerCaseName) {
            case "proxy-authorization", "proxy-authenticate", "proxy-authentication-info" -> true;
            default -> false;
        };
    }

    /** Fields for every recipient, which Connection must not name. */
    private static boolean isEndToEnd(String lowerCaseName) {
        return switch (lowerCaseName) {
            case "host", "content-length", "content-type", "content-encoding", "content-range", "content-location" ->
                true;
            case "authorization", "www-authenticate", "cookie", "set-cookie", "origin", "referer" -> true;
            case "cache-control", "pragma", "age", "date", "expires", "vary", "etag", "last-modified" -> true;
            case "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range" -> true;
            case "via", "forwarded", "max-forwards", "location", "expect", "trailer", "cdn-loop" -> true;
            case "x-real-ip", "x-request-id", "client-cert", "client-cert-chain", "traceparent", "tracestate" -> true;
            default -> lowerCaseName.startsWith("x-forwarded-") || lowerCaseName.startsWith("access-control-");
        };
    }
}
