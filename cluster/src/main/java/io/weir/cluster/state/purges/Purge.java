package io.weir.cluster.state.purges;

/**
 * A purge of all members' caches. Immutable.
 *
 * @param number index of its entry, so each is greater than all before
 * @param url an absolute URL as clients request it; empty: everything
 */
public record Purge(long number, String url) {
    /** Whether it removes everything. */
    public boolean all() {
        return url.isEmpty();
    }
}
