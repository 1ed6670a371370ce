package io.weir.proxy.cache;

import io.weir.proxy.cache.disk.DiskLoad;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.cache.disk.files.PurgeMark;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/** The disk tier below the memory, if there is one, as the cache and the cluster's purges ask it. Shared. */
public final class DiskBelow {
    private final @Nullable DiskTier tier;
    private final Store store;
    private volatile boolean held;

    DiskBelow(@Nullable DiskTier tier, Store store) {
        this.tier = tier;
        this.store = store;
    }

    /** What the disk has of it, unless it is being fetched already. */
    @Nullable
    DiskLoad load(CacheRequest request) {
        DiskTier from = tier;
        if (from == null || held || !request.asksDisk()) {
            return null;
        }
        CacheEntry entry = store.table().find(request.key());
        return entry != null && entry.fetches() != null
                ? null
                : from.load(request.key(), () -> request.fields().copy());
    }

    /**
     * While it is held, nothing is read from the disk, since purges may be missing there. What is stored meanwhile is
     * written.
     */
    public void hold(boolean hold) {
        held = hold;
    }

    /** A hit was read from the disk, or its body is sent from there. */
    void answered(StoredObject object) {
        if (tier != null) {
            tier.answered(object);
        }
    }

    /** A request has waited {@code cache.disk.read-time-out}. */
    public void timedOut() {
        if (tier != null) {
            tier.timedOut();
        }
    }

    /** An answer from the disk ended where it failed. */
    public void cut() {
        if (tier != null) {
            tier.cut();
        }
    }

    /** The rest of an answer from the disk is requested from the origin. */
    public void continued() {
        if (tier != null) {
            tier.continued();
        }
    }

    /** How far what is on the disk had followed a cluster's purges when it was opened. */
    public PurgeMark mark() {
        return tier == null ? PurgeMark.NONE : tier.mark();
    }

    /** The purges up to there were applied: the disk remembers it once a kill cannot undo them. */
    public void mark(PurgeMark reached) {
        if (tier != null) {
            tier.mark(reached);
        }
    }
}
