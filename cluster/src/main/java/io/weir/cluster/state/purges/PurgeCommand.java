package io.weir.cluster.state.purges;

import io.weir.cluster.state.entry.Command;

/** Commands about purges of the members' caches. */
public sealed interface PurgeCommand extends Command {
    /**
     * A purge of all caches; answered with its number, the index of the entry. It may be applied twice.
     *
     * @param id a random number, not 0, which becomes the log's if this is its first purge
     * @param url an absolute URL; empty: everything
     */
    record Add(long id, String url) implements PurgeCommand {}

    /** A member's cache has applied all purges up to this number of the log with this id. */
    record Applied(String member, long id, long upTo) implements PurgeCommand {}

    /**
     * A member's cache answers the other members.
     *
     * @param address host:port; empty: no longer
     */
    record Serves(String member, String address) implements PurgeCommand {}
}
