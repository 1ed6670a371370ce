package io.weir.proxy.cache.fill;

import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.store.Permission;

/**
 * A request as fills see it: its fields, what counts of its Cache-Control, and its route's terms. Compared by identity:
 * a fill knows the request that it was started for. Confined to one event loop.
 */
public abstract class FillRequest {
    private static final Fields NO_FIELDS = new Fields();

    private Fields fields = NO_FIELDS;
    private CacheControl control = CacheControl.NONE;
    private CacheTerms terms = CacheTerms.DEFAULT;

    /** One that asks for nothing yet. */
    protected FillRequest() {}

    /** Takes the next request. */
    protected final void ask(Fields newFields, CacheControl newControl, CacheTerms newTerms) {
        fields = newFields;
        control = newControl;
        terms = newTerms;
    }

    /** Its fields; they stay as they are while it waits for a fill. */
    public final Fields fields() {
        return fields;
    }

    /** What counts of its Cache-Control. */
    public final CacheControl control(CacheConfig config) {
        return control == CacheControl.NONE ? control : terms.requested(config, control);
    }

    /** What its route says about caching. */
    public final CacheTerms terms() {
        return terms;
    }

    /** {@link Permission#audience}, as it was when somebody first had to know. */
    public abstract Permission.Audience audience();
}
