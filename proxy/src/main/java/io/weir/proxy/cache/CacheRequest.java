package io.weir.proxy.cache;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.caching.CacheControl;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.fill.FillRequest;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.Permission;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * A request as the cache sees it: key, method, fields. Reused by its exchange or its loop; the {@link Decision.Hit} it
 * leads to is part of it and valid until the next {@link #set}. While a request waits for a fill its request object and
 * its fields must stay as they are: until the cursor delivered HEAD or is closed. Confined to one event loop.
 */
public final class CacheRequest extends FillRequest {
    private final KeyBuilder key;
    final Decision.Hit hit = new Decision.Hit();
    private Method method = Method.GET;
    private int rounds;
    private boolean personal;
    private Permission permission = Permission.ROUTED;
    private Permission.@Nullable Audience audience;
    private boolean withheld;

    CacheRequest(KeyBuilder key) {
        this.key = key;
    }

    /** The key, to be built anew for each request. */
    public KeyBuilder key() {
        return key;
    }

    /**
     * Takes the next request; the key is built before or after.
     *
     * @param terms what its route says about caching
     */
    public CacheRequest set(Method method, Fields fields, CacheTerms terms) {
        this.method = method;
        boolean says = fields.has(FieldName.CACHE_CONTROL) || fields.has(FieldName.PRAGMA);
        ask(fields, says ? CacheControl.ofRequest(fields) : CacheControl.NONE, terms);
        this.rounds = 0;
        this.personal = false;
        return permit(Permission.ROUTED);
    }

    /**
     * Says what it may have, by the rules that are in force now; what {@link #set} made of it is the operator's own.
     */
    public CacheRequest permit(Permission by) {
        permission = by;
        audience = null;
        withheld = false;
        return this;
    }

    /** Whether it may have an answer that was fetched from there. */
    boolean mayHave(@Nullable FetchedFrom from) {
        boolean may = permission.mayHave(from);
        withheld |= !may;
        return may;
    }

    /** Whether it was kept from an answer. */
    boolean withheld() {
        return withheld;
    }

    @Override
    public Permission.Audience audience() {
        Permission.Audience k = audience;
        if (k == null) {
            k = permission.audience();
            audience = k;
        }
        return k;
    }

    /** Whether the origin learns the user other than by fields: then nothing is shared with others. */
    public void personal(boolean is) {
        personal = is;
    }

    boolean personal() {
        return personal;
    }

    Method method() {
        return method;
    }

    /** The variant that this request selects (RFC 9111 section 4.1), unless it may not have it. */
    @Nullable
    StoredObject select(@Nullable CacheEntry entry) {
        if (entry == null) {
            return null;
        }
        Vary known = Vary.NONE;
        String key = "";
        for (StoredObject o = entry.variants(); o != null; o = o.nextVariant()) {
            if (o.vary() != known) {
                known = o.vary();
                key = known.key(fields());
            }
            if (o.varyKey().equals(key)) {
                // what is doubtful is not used: the answer that comes replaces it
                return !o.provenance().doubtful() && mayHave(o.from()) ? o : null;
            }
        }
        return null;
    }

    /** Counts how often this request was decided upon; a request released twice fetches alone. */
    int nextRound() {
        return rounds++;
    }
}
