package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.http.Encoder;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.members.MemberFields;
import io.weir.proxy.members.OwnerMark;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The cache's handling of an exchange: for the Cache-Status field (RFC 9211) and the access log. Owned by its exchange;
 * writes without allocation on a hit.
 */
final class CacheNote {
    private static final byte[] TTL = "; ttl=".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AGE = "Age: ".getBytes(StandardCharsets.US_ASCII);

    /** The detail of a hit that was read from the disk: this cache's word, as RFC 9211 section 2.8 has it. */
    private static final String DISK = "disk";

    private boolean hit;
    private boolean collapsed;
    private boolean stored;
    private boolean stale;
    private boolean aged;
    private long age;
    private long ttl;
    private String forward = "";
    private String detail = "";
    private boolean member;
    private @Nullable FetchedFrom from;

    /** @param forMember whether it is a request of another member */
    void clear(boolean forMember) {
        member = forMember;
        from = null;
        hit = false;
        collapsed = false;
        stored = false;
        stale = false;
        aged = false;
        age = -1;
        ttl = Long.MIN_VALUE;
        forward = "";
        detail = "";
    }

    void hit(Decision.Hit found) {
        hit = true;
        stale = found.stale();
        age = found.ageSeconds();
        ttl = found.ttlSeconds();
        detail = found.fromDisk() ? DISK : "";
    }

    /** Where the answer was fetched; null: from a configured origin. */
    void from(@Nullable FetchedFrom source) {
        from = source;
    }

    void leads(String why) {
        forward = why;
    }

    void joined(String why) {
        forward = why;
        collapsed = true;
    }

    void bypass(String why) {
        forward = why;
    }

    /** The origin's answer to this request passed another cache: its Age continues. */
    void aged() {
        aged = true;
    }

    /**
     * The fill being read has its head. The leader's answer was made for its own request, so it has an Age only if the
     * origin sent one (RFC 9111 section 5.1).
     */
    void filled(FillCursor from, long nowMillis) {
        stored = from.fill().storing();
        stale = from.stale();
        age = collapsed || stale || aged ? from.object().freshness().age(nowMillis) : -1;
        ttl = from.object().freshness().ttl(nowMillis);
    }

    /** The answer turned out not to be storable. */
    void passed(String reason) {
        detail = reason;
        stored = false;
    }

    /** Whether a stored answer was served, fresh or stale. */
    boolean isHit() {
        return hit;
    }

    /** The value for the access log: what the Sun proxy calls the cache finish status. */
    String word() {
        if (hit) {
            return stale ? "STALE" : "HIT";
        }
        if (forward.isEmpty()) {
            return "-";
        }
        return stored ? "WRITTEN" : forward.equals("stale") ? "REFRESHED" : "NO-CACHE";
    }

    /** Writes Age if the answer comes from the store. */
    void writeAge(ByteBuf out) {
        if (age >= 0) {
            out.writeBytes(AGE);
            Encoder.asciiLong(out, age);
            out.writeByte('\r').writeByte('\n');
        }
    }

    /**
     * Writes the Cache-Status field; nothing if the cache was not used.
     *
     * @param start {@code Cache-Status: } and this cache's name
     */
    void writeStatus(ByteBuf out, byte[] start) {
        if (member) {
            text(out, MemberFields.FROM + ": " + OwnerMark.text(from) + "\r\n");
        }
        if (!hit && forward.isEmpty()) {
            return;
        }
        out.writeBytes(start);
        if (hit) {
            text(out, "; hit");
        } else {
            text(out, "; fwd=");
            text(out, forward);
            if (stored) {
                text(out, "; stored");
            }
            if (collapsed) {
                text(out, "; collapsed");
            }
        }
        if (ttl != Long.MIN_VALUE) {
            out.writeBytes(TTL);
            Encoder.asciiLong(out, ttl);
        }
        if (!detail.isEmpty()) {
            text(out, "; detail=");
            text(out, detail);
        }
        out.writeByte('\r').writeByte('\n');
    }

    private static void text(ByteBuf out, String ascii) {
        ByteBufUtil.writeAscii(out, ascii);
    }
}
