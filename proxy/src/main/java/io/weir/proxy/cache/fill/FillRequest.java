package io.weir.proxy.cache.fill;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;
import io.weir.http.semantics.Conditionals;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.store.Permission;

/**
 * A request as fills see it: its fields, its effective Cache-Control, and its route's caching settings. Compared by
 * identity: a fill recognises the request that it was started for. Confined to one event loop.
 */
public abstract class FillRequest {
    private static final Fields NO_FIELDS = new Fields();

    private Fields fields = NO_FIELDS;
    private CacheControl control = CacheControl.NONE;
    private CacheTerms terms = CacheTerms.DEFAULT;

    /** An empty request. */
    protected FillRequest() {}

    /** Resets this object for the next request. */
    protected final void reset(Fields newFields, CacheControl newControl, CacheTerms newTerms) {
        fields = newFields;
        control = newControl;
        terms = newTerms;
    }

    /** Its fields; they do not change while it waits for a fill. */
    public final Fields fields() {
        return fields;
    }

    /** Its effective Cache-Control. */
    public final CacheControl control(CacheConfig config) {
        return control == CacheControl.NONE ? control : terms.requested(config, control);
    }

    /** Whether an origin may be asked for it: the client does not want an answer of caches only, nor does its route. */
    public final boolean mayFetch(CacheConfig config) {
        return !control(config).onlyIfCached() && !terms.never();
    }

    /** Whether it is a simple GET, apart from the method: without Cache-Control, conditions or a range. */
    protected static boolean simple(Fields of) {
        return !of.has(FieldName.CACHE_CONTROL)
                && !of.has(FieldName.PRAGMA)
                && !of.has(FieldName.RANGE)
                && !Conditionals.isConditional(of);
    }

    /** Its route's caching settings. */
    public final CacheTerms terms() {
        return terms;
    }

    /** {@link Permission#audience}, as it was when first needed. */
    public abstract Permission.Audience audience();
}
