package io.weir.http.semantics;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of conditional requests (RFC 9110 13) against a selected representation. Two readers: a cache, which looks
 * at If-None-Match and If-Modified-Since alone (RFC 9111 4.3.2), and an origin, which follows the whole precedence of
 * RFC 9110 13.2.2.
 */
public final class Conditionals {

    /** What a conditional request asks for. */
    public enum Outcome {
        /** No condition stands in the way. */
        PROCEED,
        /** Answer 304 with the fields that {@link #belongsIn304} keeps. */
        NOT_MODIFIED,
        /** Answer 412. */
        PRECONDITION_FAILED
    }

    private Conditionals() {}

    /** True when the request carries one of the five conditions of RFC 9110 13.1. */
    public static boolean isConditional(Fields request) {
        return request.has(FieldName.IF_NONE_MATCH)
                || request.has(FieldName.IF_MODIFIED_SINCE)
                || request.has(FieldName.IF_MATCH)
                || request.has(FieldName.IF_UNMODIFIED_SINCE)
                || request.has(FieldName.IF_RANGE);
    }

    /**
     * What a cache does with a request that it answers from a stored response (RFC 9111 4.3.2). If-Match and
     * If-Unmodified-Since are for the origin: here they are ignored, so a cache should forward a request that has them.
     *
     * @param method GET or HEAD; for any other the answer is PROCEED
     * @param status of the stored response; conditions count for 2xx alone (RFC 9110 13.2.1)
     * @param receivedAt epoch seconds when the stored response came in, used when it has neither Last-Modified nor Date
     * @param now epoch seconds
     */
    public static Outcome byCache(Method method, int status, Fields request, Fields stored, long receivedAt, long now) {
        if (!isRead(method) || status / 100 != 2) {
            return Outcome.PROCEED;
        }
        String noneMatch = request.combined(FieldName.IF_NONE_MATCH);
        if (noneMatch != null) {
            boolean same = matchesNone(noneMatch, stored.combined(FieldName.ETAG));
            return same ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
        }
        long since = HttpDate.parse(request.combined(FieldName.IF_MODIFIED_SINCE), now);
        if (since == HttpDate.INVALID) {
            return Outcome.PROCEED;
        }
        return modificationDate(stored, receivedAt, now) <= since ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
    }

    private static boolean matchesNone(String noneMatch, @Nullable String tag) {
        return EntityTags.isAny(noneMatch) || EntityTags.anyMatch(noneMatch, tag, false);
    }

    private static long modificationDate(Fields stored, long receivedAt, long now) {
        long modified = HttpDate.parse(stored.combined(FieldName.LAST_MODIFIED), now);
        if (modified != HttpDate.INVALID) {
            return modified;
        }
        long date = HttpDate.parse(stored.combined(FieldName.DATE), now);
        return date != HttpDate.INVALID ? date : receivedAt;
    }

    /**
     * What an origin does (RFC 9110 13.2.2), before it performs the method.
     *
     * @param exists a current representation exists
     * @param etag its entity tag, or null
     * @param lastModified its modification date in epoch seconds, or {@link HttpDate#INVALID} when it has none
     * @param now epoch seconds
     */
    public static Outcome byOrigin(
            Method method, Fields request, boolean exists, @Nullable String etag, long lastModified, long now) {
        if (!passesMatch(request, exists, etag, lastModified, now)) {
            return Outcome.PRECONDITION_FAILED;
        }
        String noneMatch = request.combined(FieldName.IF_NONE_MATCH);
        if (noneMatch != null) {
            boolean same = exists && matchesNone(noneMatch, etag);
            return same ? (isRead(method) ? Outcome.NOT_MODIFIED : Outcome.PRECONDITION_FAILED) : Outcome.PROCEED;
        }
        long since = HttpDate.parse(request.combined(FieldName.IF_MODIFIED_SINCE), now);
        boolean counts = isRead(method) && exists && since != HttpDate.INVALID && lastModified != HttpDate.INVALID;
        return counts && lastModified <= since ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
    }

    private static boolean passesMatch(
            Fields request, boolean exists, @Nullable String etag, long lastModified, long now) {
        String match = request.combined(FieldName.IF_MATCH);
        if (match != null) {
            return exists && (EntityTags.isAny(match) || EntityTags.anyMatch(match, etag, true));
        }
        long since = HttpDate.parse(request.combined(FieldName.IF_UNMODIFIED_SINCE), now);
        return since == HttpDate.INVALID || lastModified == HttpDate.INVALID || lastModified <= since;
    }

    /**
     * True when the Range of a request applies to the representation (RFC 9110 13.1.5): without If-Range, with the same
     * strong entity tag, or with the very same Last-Modified where that is strong, that is at least a second older than
     * Date (8.8.2.2).
     */
    public static boolean rangeApplies(Fields request, Fields stored, long now) {
        String condition = request.combined(FieldName.IF_RANGE);
        if (condition == null) {
            return true;
        }
        if (condition.startsWith("\"") || condition.startsWith("W/")) {
            return EntityTags.strongMatch(condition, stored.combined(FieldName.ETAG));
        }
        long wanted = HttpDate.parse(condition, now);
        long modified = HttpDate.parse(stored.combined(FieldName.LAST_MODIFIED), now);
        long date = HttpDate.parse(stored.combined(FieldName.DATE), now);
        return wanted != HttpDate.INVALID && wanted == modified && date != HttpDate.INVALID && date > modified;
    }

    /**
     * True when a field of the 200 belongs in the 304 that stands for it (RFC 9110 15.4.5): all but those that describe
     * content that is not sent.
     */
    public static boolean belongsIn304(String lowerCaseName) {
        return switch (lowerCaseName) {
            case "content-type",
                    "content-length",
                    "content-encoding",
                    "content-language",
                    "content-range",
                    "content-md5",
                    "content-digest",
                    "trailer" -> false;
            default -> true;
        };
    }

    private static boolean isRead(Method method) {
        return method == Method.GET || method == Method.HEAD;
    }
}
