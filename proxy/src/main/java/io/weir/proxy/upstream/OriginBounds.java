package io.weir.proxy.upstream;

import io.weir.proxy.program.config.OriginPoolConfig;

/**
 * The bounds on connections to origins, as configured or as the machine permits. Immutable.
 *
 * @param descriptors limit of the process
 */
public record OriginBounds(OriginPoolConfig pool, long descriptors) {
    /** Share of the descriptors: a sixth for one origin, with a common minimum. */
    private static final int PER_ORIGIN = 6;

    private static final int LEAST_PER_ORIGIN = 1024;
    private static final int MOST_PER_ORIGIN = 65_536;

    /** Connections to one origin, in use and idle together. */
    public int perOrigin() {
        int configured = pool.maxConnectionsPerOrigin();
        return configured >= 0 ? configured : Math.clamp(descriptors / PER_ORIGIN, LEAST_PER_ORIGIN, MOST_PER_ORIGIN);
    }

    /** Fetches for one client address. */
    public int perAddress() {
        int configured = pool.maxConnectionsPerAddress();
        if (configured < 0) {
            return pool.maxConnectionsPerOrigin() < 0 ? perOrigin() / 2 : AddressShares.ALL;
        }
        return configured == 0 ? AddressShares.ALL : configured;
    }

    /** Whether this machine's own addresses are bounded: auto excludes them, like the kernel's share of connections. */
    public boolean ownToo() {
        return pool.maxConnectionsPerAddress() >= 0;
    }

    /** The bounds of one muxer. */
    PoolBounds of(int muxers) {
        int uses = pool.maxUses() == 0 ? Integer.MAX_VALUE : pool.maxUses();
        int address = perAddress();
        return new PoolBounds(
                Math.max(1, perOrigin() / muxers),
                address == AddressShares.ALL ? address : Math.max(1, address / muxers),
                ownToo(),
                pool.maxIdle() == 0 ? 0 : Math.max(1, pool.maxIdle() / muxers),
                pool.maxWaitingPerOrigin(),
                Math.max(1, pool.maxOrigins() / muxers),
                pool.idleTimeOut().toNanos(),
                uses);
    }
}
