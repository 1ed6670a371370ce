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
import io.weir.proxy.cache.store.VariantIndex;
import org.jspecify.annotations.Nullable;

/**
 * A request as the cache sees it: key, method, fields. Reused by its exchange or its loop; its {@link Decision.Hit} is
 * part of it and valid until the next {@link #set}. While a request waits for a fill, its request object and fields
 * must not change until the cursor has delivered HEAD or is closed. Confined to one event loop.
 */
public final class CacheRequest extends FillRequest {
    private final KeyBuilder key;
    final Decision.Hit hit = new Decision.Hit();
    private Method method = Method.GET;
    private int rounds;
    private boolean askedDisk;
    private boolean readDisk;
    private boolean otherVariants;
    private boolean personal;
    private Permission permission = Permission.ROUTED;
    private Permission.@Nullable Audience audience;
    private boolean withheld;

    CacheRequest(KeyBuilder key) {
        this.key = key;
    }

    /** The key, to be rebuilt for each request. */
    public KeyBuilder key() {
        return key;
    }

    /**
     * Resets this object for the next request; the key may be built before or after.
     *
     * @param terms its route's caching settings
     */
    public CacheRequest set(Method method, Fields fields, CacheTerms terms) {
        this.method = method;
        boolean hasDirectives = fields.has(FieldName.CACHE_CONTROL) || fields.has(FieldName.PRAGMA);
        reset(fields, hasDirectives ? CacheControl.ofRequest(fields) : CacheControl.NONE, terms);
        this.rounds = 0;
        this.askedDisk = false;
        this.readDisk = false;
        this.otherVariants = false;
        this.personal = false;
        return permit(Permission.ROUTED);
    }

    /**
     * Sets which stored answers the request may use, by the rules now in force; {@link #set} allows only answers of
     * configured origins.
     */
    public CacheRequest permit(Permission by) {
        permission = by;
        audience = null;
        withheld = false;
        return this;
    }

    /** Whether it may use an answer that was fetched from there. */
    boolean mayHave(@Nullable FetchedFrom from) {
        boolean may = permission.mayHave(from);
        withheld |= !may;
        return may;
    }

    /** Whether a stored answer was withheld from it. */
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

    /**
     * Whether the origin identifies the user by other means than header fields: then nothing is shared with other
     * users.
     */
    public void personal(boolean is) {
        personal = is;
    }

    boolean personal() {
        return personal;
    }

    Method method() {
        return method;
    }

    /** The variant that this request selects (RFC 9111 section 4.1), unless the request is not permitted to use it. */
    @Nullable
    StoredObject select(@Nullable CacheEntry entry) {
        if (entry == null) {
            return null;
        }
        VariantIndex index = entry.index();
        if (index != null) {
            return usable(index.find(index.vary().key(fields())));
        }
        Vary known = Vary.NONE;
        String key = "";
        for (StoredObject o = entry.variants(); o != null; o = o.nextVariant()) {
            if (!o.vary().selectsLike(known)) {
                known = o.vary();
                key = known.key(fields());
            }
            if (o.varyKey().equals(key)) {
                return usable(o);
            }
        }
        return null;
    }

    /** A doubtful object is not used: the next answer replaces it. */
    private @Nullable StoredObject usable(@Nullable StoredObject selected) {
        return selected != null && !selected.provenance().doubtful() && mayHave(selected.from()) ? selected : null;
    }

    /** Whether the disk may be asked for it: once, since what did not come then will not come now. */
    boolean asksDisk() {
        boolean first = !askedDisk;
        askedDisk = true;
        return first;
    }

    /**
     * The disk is read for it.
     *
     * @param variants whether the disk has variants of it
     */
    void readsDisk(boolean variants) {
        readDisk = true;
        otherVariants = variants;
    }

    /** Whether the disk was read for it, and it has not waited for a fetch since then. */
    boolean fromDisk() {
        return readDisk && rounds == 0;
    }

    /** Whether the disk has variants of it: if none of them came into memory, it selects another one. */
    boolean hasVariantsBelow() {
        return otherVariants;
    }

    /** Whether it has waited for a fetch. */
    boolean awaitedFetch() {
        return rounds > 0;
    }

    /** Whether it is a simple GET: without Cache-Control, conditions or a range. */
    boolean simple() {
        return method == Method.GET && simple(fields());
    }

    /** The disk could not be read. */
    public void skipDisk() {
        askedDisk = true;
    }

    /** Counts the decisions made for this request; a request released repeatedly fetches alone. */
    int nextRound() {
        return rounds++;
    }
}
