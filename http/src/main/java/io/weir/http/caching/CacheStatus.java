package io.weir.http.caching;

import io.weir.http.semantics.Forwarded;
import io.weir.http.structured.BareItem;
import io.weir.http.structured.StructuredSerializer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What this cache did with one request, for the Cache-Status field (RFC 9211). Immutable; lives for one response.
 *
 * @param cache name of this cache
 * @param forward why the request went on, or null for a hit
 * @param forwardStatus status that the next hop answered, 0 for none
 * @param stored the answer was stored
 * @param collapsed the request waited for another one's answer
 * @param ttl seconds of freshness left, negative when stale, {@link #NO_TTL} to leave it out
 * @param detail anything else, or null
 */
public record CacheStatus(
        String cache,
        @Nullable Forward forward,
        int forwardStatus,
        boolean stored,
        boolean collapsed,
        long ttl,
        @Nullable String detail) {

    /** No {@code ttl} parameter. */
    public static final long NO_TTL = Long.MIN_VALUE;

    /** Why a request was forwarded (RFC 9211 2.2). */
    public enum Forward {
        /** The cache was configured not to handle it. */
        BYPASS,
        /** The method must be forwarded. */
        METHOD,
        /** Nothing is stored for the URI. */
        URI_MISS,
        /** Something is stored for the URI, but not for this request's Vary key. */
        VARY_MISS,
        /** Nothing usable is stored; no distinction between the two. */
        MISS,
        /** What is stored is fresh, but the request wants more. */
        REQUEST,
        /** What is stored is stale. */
        STALE,
        /** What is stored is only a part. */
        PARTIAL;

        private final String token = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /** The token of the {@code fwd} parameter. */
        public String token() {
            return token;
        }
    }

    /** A request answered from the store. */
    public static CacheStatus hit(String cache, long ttl) {
        return new CacheStatus(cache, null, 0, false, false, ttl, null);
    }

    /** A request that went on to the next hop. */
    public static CacheStatus forwarded(String cache, Forward why) {
        return new CacheStatus(cache, why, 0, false, false, NO_TTL, null);
    }

    public CacheStatus withForwardStatus(int status) {
        return new CacheStatus(cache, forward, status, stored, collapsed, ttl, detail);
    }

    public CacheStatus withStored() {
        return new CacheStatus(cache, forward, forwardStatus, true, collapsed, ttl, detail);
    }

    public CacheStatus withCollapsed() {
        return new CacheStatus(cache, forward, forwardStatus, stored, true, ttl, detail);
    }

    public CacheStatus withTtl(long seconds) {
        return new CacheStatus(cache, forward, forwardStatus, stored, collapsed, seconds, detail);
    }

    public CacheStatus withDetail(String text) {
        return new CacheStatus(cache, forward, forwardStatus, stored, collapsed, ttl, text);
    }

    /** The member of the list: {@code weir; fwd=uri-miss; fwd-status=200; stored}. */
    public String text() {
        StringBuilder out = new StringBuilder(48);
        name(out, cache);
        if (forward == null) {
            out.append("; hit");
        } else {
            out.append("; fwd=").append(forward.token());
            appendIf(out, forwardStatus != 0, "; fwd-status=" + forwardStatus);
            appendIf(out, stored, "; stored");
            appendIf(out, collapsed, "; collapsed");
        }
        appendIf(out, ttl != NO_TTL, "; ttl=" + ttl);
        if (detail != null) {
            name(out.append("; detail="), detail);
        }
        return out.toString();
    }

    private static void appendIf(StringBuilder out, boolean wanted, String text) {
        if (wanted) {
            out.append(text);
        }
    }

    /** A token where it is one, else a string without the characters that no string can hold. */
    private static void name(StringBuilder out, String text) {
        if (BareItem.Token.isToken(text)) {
            out.append(text);
            return;
        }
        StringBuilder visible = new StringBuilder(text.length());
        text.chars().filter(c -> c >= 0x20 && c < 0x7f).forEach(c -> visible.append((char) c));
        StructuredSerializer.bare(out, new BareItem.Text(visible.toString()));
    }

    /**
     * The field's value with this member at its end: the cache nearest to the client comes last (RFC 9211 2). A value with
     * a string that never ends is dropped.
     */
    public String appendTo(@Nullable String existing) {
        return Forwarded.append(existing, text());
    }
}
