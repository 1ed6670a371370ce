package io.weir.http.caching;

import io.weir.http.semantics.FieldLookup;
import io.weir.http.semantics.UriTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which stored responses an unsafe request makes unusable (RFC 9111 4.4). Stateless. */
public final class Invalidation {

    private Invalidation() {}

    /**
     * The URIs to invalidate: after an unsafe method, or one whose safety is unknown, was answered with 2xx or 3xx, its
     * target, and what Location and Content-Location name of the same origin. Empty otherwise. All stored responses of a
     * URI are meant, whatever their Vary key.
     */
    public static List<UriTarget> of(String method, UriTarget target, int status, FieldLookup response) {
        if (isSafe(method) || status < 200 || status > 399) {
            return List.of();
        }
        List<UriTarget> targets = new ArrayList<>(3);
        targets.add(target);
        add(targets, target, response.combined("location"));
        add(targets, target, response.combined("content-location"));
        return targets;
    }

    private static void add(List<UriTarget> targets, UriTarget base, @Nullable String reference) {
        UriTarget named = reference == null ? null : base.resolve(reference);
        if (named != null && named.sameOrigin(base) && !targets.contains(named)) {
            targets.add(named);
        }
    }

    /** Methods registered as safe. */
    static boolean isSafe(String method) {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY", "PRI" -> true;
            default -> false;
        };
    }
}
