package io.weir.http.caching;

import io.weir.http.FieldName;
import io.weir.http.FieldValues;
import io.weir.http.Fields;
import io.weir.http.semantics.EntityTags;
import io.weir.http.semantics.HttpDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The validators of a response (RFC 9110 8.8), as sent; malformed ones are dropped. Immutable; lives with the stored
 * response.
 *
 * @param etag valid entity tag, including quotes and weakness prefix, or null
 * @param lastModified valid date as the origin wrote it, or null
 */
public record Validators(@Nullable String etag, @Nullable String lastModified) {

    /** What a HEAD response implies for a stored GET response (RFC 9111 4.3.5). */
    public enum HeadFreshening {
        /** The same representation: update the stored fields. */
        UPDATE,
        /** Another representation: treat the stored response as stale. */
        INVALIDATE,
        /** Not a 200: no implication. */
        NONE
    }

    /** No stored response is selected. */
    public static final int NONE_SELECTED = -1;

    /**
     * The validators of a response.
     *
     * @param now epoch seconds, for two-digit years
     */
    public static Validators of(FieldValues response, long now) {
        String tag = response.combined(FieldName.ETAG);
        String date = response.combined(FieldName.LAST_MODIFIED);
        return new Validators(
                EntityTags.isValid(tag) ? tag : null, HttpDate.parse(date, now) == HttpDate.INVALID ? null : date);
    }

    /** Whether there is any validator. */
    public boolean any() {
        return etag != null || lastModified != null;
    }

    /**
     * Whether the entity tag is strong. Dates are treated as weak here (RFC 9110 8.8.2.2 requires more than the date).
     */
    public boolean strong() {
        return etag != null && !EntityTags.isWeak(etag);
    }

    /** The If-None-Match of a validation request (RFC 9111 4.3.1), or null: the entity tag. */
    public @Nullable String ifNoneMatch() {
        return etag;
    }

    /** The If-Modified-Since of a validation request (RFC 9111 4.3.1), or null: Last-Modified verbatim. */
    public @Nullable String ifModifiedSince() {
        return lastModified;
    }

    /** One If-None-Match for several stored responses of a URI (RFC 9111 4.3.1), or null if none has an entity tag. */
    public static @Nullable String ifNoneMatch(List<Validators> stored) {
        StringBuilder list = new StringBuilder();
        for (Validators each : stored) {
            if (each.etag != null && list.indexOf(each.etag) < 0) {
                list.append(list.isEmpty() ? "" : ", ").append(each.etag);
            }
        }
        return list.isEmpty() ? null : list.toString();
    }

    /**
     * Selects the stored response that a 304 refers to (RFC 9111 4.3.4): the newest one that matches its strong
     * validator; otherwise the newest that matches its weak validators; and if the 304 has none, the only one that the
     * request covered.
     *
     * @param stored validators of the stored responses that the validation request covered, newest first
     * @return an index into {@code stored}, or {@link #NONE_SELECTED}: the 304 must then not be used, and the request
     * must be repeated without conditions
     */
    public static int select(List<Validators> stored, Validators notModified) {
        if (!notModified.any()) {
            return stored.size() == 1 ? 0 : NONE_SELECTED;
        }
        for (int i = 0; i < stored.size(); i++) {
            if (notModified.identifies(stored.get(i))) {
                return i;
            }
        }
        return NONE_SELECTED;
    }

    private boolean identifies(Validators stored) {
        if (strong()) {
            return EntityTags.strongMatch(etag, stored.etag);
        }
        if (etag != null) {
            return EntityTags.weakMatch(etag, stored.etag);
        }
        return lastModified != null && lastModified.equals(stored.lastModified);
    }

    /**
     * The effect of a response to HEAD on a stored GET response (RFC 9111 4.3.5).
     *
     * @param storedLength bytes of the stored content
     * @param now epoch seconds
     */
    public HeadFreshening freshenedBy(int headStatus, Fields head, long storedLength, long now) {
        if (headStatus != 200) {
            return HeadFreshening.NONE;
        }
        String tag = head.combined(FieldName.ETAG);
        String date = head.combined(FieldName.LAST_MODIFIED);
        String length = head.combined(FieldName.CONTENT_LENGTH);
        boolean same = (tag == null || tag.equals(etag))
                && (date == null || sameDate(date, now))
                && (length == null || length.equals(Long.toString(storedLength)));
        return same ? HeadFreshening.UPDATE : HeadFreshening.INVALIDATE;
    }

    private boolean sameDate(String date, long now) {
        long theirs = HttpDate.parse(date, now);
        return theirs != HttpDate.INVALID && theirs == HttpDate.parse(lastModified, now);
    }
}
