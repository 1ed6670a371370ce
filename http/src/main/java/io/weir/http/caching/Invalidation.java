package io.weir.http.caching;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.semantics.UriTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored responses that an unsafe request invalidates (RFC 9111 4.4). Stateless. */
public final class Invalidation {

    private Invalidation() {}

    /**
     * The URIs to invalidate: after an unsafe method, or one whose safety is unknown, was answered 2xx or 3xx, its
     * target, and the URIs in Location and Content-Location that have the same origin. Empty otherwise. It applies to
     * all stored responses of a URI, whatever their Vary key.
     */
    public static List<UriTarget> of(Method method, UriTarget target, int status, Fields response) {
        if (method.safe() || status < 200 || status > 399) {
            return List.of();
        }
        List<UriTarget> targets = new ArrayList<>(3);
        targets.add(target);
        add(targets, target, response.combined(FieldName.LOCATION));
        add(targets, target, response.combined(FieldName.CONTENT_LOCATION));
        return targets;
    }

    private static void add(List<UriTarget> targets, UriTarget base, @Nullable String reference) {
        UriTarget named = reference == null ? null : base.resolve(reference);
        if (named != null && named.sameOrigin(base) && !targets.contains(named)) {
            targets.add(named);
        }
    }
}
