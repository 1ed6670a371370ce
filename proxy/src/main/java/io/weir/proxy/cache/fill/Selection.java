package io.weir.proxy.cache.fill;

import io.weir.http.caching.Vary;

/** The Vary of an answer, and the key that selected this variant. */
public record Selection(Vary vary, String key) {
    boolean selects(FillRequest request) {
        return vary.isEmpty() || key.equals(vary.key(request.fields()));
    }
}
