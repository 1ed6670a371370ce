package io.weir.proxy.upstream;

/**
 * The bounds of a pool, on one muxer. Immutable.
 *
 * @param perOrigin connections to one origin, in use and idle
 * @param perAddress fetches for one client address, see {@link AddressShares}
 * @param ownToo whether this machine's own addresses are bounded like others
 * @param idle idle connections, over all origins
 * @param waitersPerOrigin requests that wait for a connection to one origin
 * @param origins origins with a pool
 * @param idleNanos how long an idle connection is kept
 * @param uses requests that a connection carries
 */
public record PoolBounds(
        int perOrigin,
        int perAddress,
        boolean ownToo,
        int idle,
        int waitersPerOrigin,
        int origins,
        long idleNanos,
        int uses) {}
