package io.weir.server.admin;

/** Passes purges of the cache on to the other members of the cluster, which have caches of their own. Shared. */
@FunctionalInterface
public interface PurgeForwarder {
    /**
     * Passes a purge on; may block.
     *
     * @param url as clients request it; empty: everything
     * @param here how many objects were removed here, where it is done
     */
    AdminAnswer forward(String url, int here, AdminRequest request) throws InterruptedException;
}
