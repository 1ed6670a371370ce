package io.weir.http.semantics;

import io.weir.http.FieldName;
import io.weir.http.FieldValues;
import io.weir.http.Fields;
import io.weir.http.Method;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of conditional requests (RFC 9110 13) against a selected representation. There are two modes: that of a
 * cache, which evaluates If-None-Match and If-Modified-Since only (RFC 9111 4.3.2), and that of an origin, which
 * follows the complete precedence of RFC 9110 13.2.2.
 */
public final class Conditionals {

    /** The outcome of a conditional request. */
    public enum Outcome {
        /** No condition prevents normal processing. */
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
     * The outcome in a cache that has a stored response (RFC 9111 4.3.2). If-Match and If-Unmodified-Since are for the
     * origin: they are ignored here, so a cache should forward a request that has them.
     *
     * @param method GET or HEAD; for any other the outcome is PROCEED
     * @param status of the stored response; conditions apply to 2xx only (RFC 9110 13.2.1)
     * @param receivedAt epoch seconds when the stored response was received, used if it has neither Last-Modified nor
     * Date
     * @param now epoch seconds
     */
    public static Outcome byCache(
            Method method, int status, Fields request, FieldValues stored, long receivedAt, long now) {
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

    private static long modificationDate(FieldValues stored, long receivedAt, long now) {
        long modified = HttpDate.parse(stored.combined(FieldName.LAST_MODIFIED), now);
        if (modified != HttpDate.INVALID) {
            return modified;
        }
        long date = HttpDate.parse(stored.combined(FieldName.DATE), now);
        return date != HttpDate.INVALID ? date : receivedAt;
    }

    /**
     * The outcome at an origin (RFC 9110 13.2.2), before it performs the method.
     *
     * @param exists whether a current representation exists
     * @param etag its entity tag, or null
     * @param lastModified its modification date in epoch seconds, or {@link HttpDate#INVALID} if it has none
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
     * Whether the Range of a request applies to the representation (RFC 9110 13.1.5): without If-Range, with the same
     * strong entity tag, or with exactly the same Last-Modified if that is strong, i.e. at least a second older than
     * Date (8.8.2.2).
     */
    public static boolean rangeApplies(Fields request, FieldValues stored, long now) {
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
     * Whether a field of the 200 belongs in the 304 sent instead (RFC 9110 15.4.5): all except those that describe
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
