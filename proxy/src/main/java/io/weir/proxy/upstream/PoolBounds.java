package io.weir.proxy.upstream;

/**
 * What a pool is bounded by, on one muxer. Immutable.
 *
 * @param perOrigin connections to one origin, in use and idle
 * @param perAddress fetches for one client address, see {@link AddressShares}
 * @param ownToo whether this machine's own addresses are bounded as others are
 * @param idle idle connections, over all origins
 * @param waitersPerOrigin requests that wait for a connection to one origin
 * @param origins origins that are remembered
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
