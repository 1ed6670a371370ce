package io.weir.cluster.purge;

/** The cache of a process of this member. Called by one thread at a time; may block. */
public interface PurgedCache {
    /** How far it has followed the purges; at first, with what it kept from before the start. */
    PurgePosition position();

    /** Removes what is stored for a URL. */
    void purge(String url);

    /** Removes everything. */
    void purgeAll();

    /** All purges up to this position were applied: it is to be remembered with what the cache keeps. */
    void reached(PurgePosition position);

    /** All purges that were missed while the member was away are applied: what was kept may be used. */
    void current();
}
