package io.weir.proxy.cache;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.caching.CacheControl;
import org.jspecify.annotations.Nullable;

/**
 * A request as the cache sees it: key, method, fields. Reused by its exchange or its loop; the {@link Decision.Hit} it
 * leads to is part of it and valid until the next {@link #set}. While a request waits for a fill its request object and
 * its fields must stay as they are: until the cursor delivered HEAD or is closed. Confined to one event loop.
 */
public final class CacheRequest {
    private static final Fields NO_FIELDS = new Fields();

    private final KeyBuilder key;
    final Decision.Hit hit = new Decision.Hit();
    private Method method = Method.GET;
    private Fields fields = NO_FIELDS;
    private CacheControl control = CacheControl.NONE;
    private CacheTerms terms = CacheTerms.DEFAULT;
    private int rounds;
    private boolean personal;
    private Permission permission = Permission.ROUTED;
    private Permission.@Nullable Kin kin;
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
        this.fields = fields;
        this.terms = terms;
        boolean says = fields.has(FieldName.CACHE_CONTROL) || fields.has(FieldName.PRAGMA);
        this.control = says ? CacheControl.ofRequest(fields) : CacheControl.NONE;
        this.rounds = 0;
        this.personal = false;
        return permit(Permission.ROUTED);
    }

    /** Says what it may have, by the rules that are in force now; what {@link #set} made of it is the operator's own. */
    public CacheRequest permit(Permission by) {
        permission = by;
        kin = null;
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

    /** {@link Permission#kin}, as it was when somebody first had to know. */
    Permission.Kin kin() {
        Permission.Kin k = kin;
        if (k == null) {
            k = permission.kin();
            kin = k;
        }
        return k;
    }

    /** Whether the origin learns who asks from elsewhere than the fields: then nothing is shared with others. */
    public void personal(boolean is) {
        personal = is;
    }

    boolean personal() {
        return personal;
    }

    Method method() {
        return method;
    }

    Fields fields() {
        return fields;
    }

    /** What counts of its Cache-Control. */
    CacheControl control(CacheConfig config) {
        return control == CacheControl.NONE ? control : terms.requested(config, control);
    }

    CacheTerms terms() {
        return terms;
    }

    /** Counts how often this request was decided upon; a request released twice fetches alone. */
    int nextRound() {
        return rounds++;
    }
}
