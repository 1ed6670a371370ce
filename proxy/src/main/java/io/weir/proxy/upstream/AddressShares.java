package io.weir.proxy.upstream;

import io.weir.base.Counter;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the fetches that run or wait on one muxer for each client address: a slow streaming client occupies an origin
 * connection, and no client may starve others. Confined to its muxer.
 */
public final class AddressShares {
    /** No bound. */
    public static final int ALL = Integer.MAX_VALUE;

    /** Addresses without a fetch are kept up to this number, so that a request usually allocates nothing. */
    private static final int REMEMBERED = 1024;

    /**
     * For requests that are not counted: this machine's own, a trusted peer's, health checks, background validations.
     */
    static final Share UNCOUNTED = new Share(false);

    /** The address has used up its share. */
    public static final Share REFUSED = new Share(false);

    /** The fetches of one address. */
    public static final class Share {
        private final boolean counts;
        private int fetches;

        private Share(boolean counts) {
            this.counts = counts;
        }

        /** A fetch has ended. */
        public void leave() {
            if (counts) {
                fetches--;
            }
        }
    }

    private final Supplier<PoolBounds> bounds;
    private final Counter refused;
    private final Map<InetAddress, Share> shares = new HashMap<>();

    /**
     * @param bounds the current bounds of this muxer
     * @param refused counts fetches refused at the bound
     */
    public AddressShares(Supplier<PoolBounds> bounds, Counter refused) {
        this.bounds = bounds;
        this.refused = refused;
    }

    /**
     * Counts one more fetch for this address, which {@link Share#leave} ends; {@link #REFUSED} if it has used up its
     * share.
     *
     * @param client null for a request that is not counted
     */
    public Share take(@Nullable InetAddress client) {
        PoolBounds now = bounds.get();
        if (client == null || (!now.ownToo() && client.isLoopbackAddress())) {
            return UNCOUNTED;
        }
        Share share = shares.get(client);
        if (share == null) {
            share = remember(client);
        }
        if (share.fetches >= now.perAddress()) {
            refused.inc();
            return REFUSED;
        }
        share.fetches++;
        return share;
    }

    private Share remember(InetAddress client) {
        if (shares.size() >= REMEMBERED) {
            shares.values().removeIf(s -> s.fetches == 0);
        }
        Share made = new Share(true);
        shares.put(client, made);
        return made;
    }

    /** Number of addresses kept. */
    public int remembered() {
        return shares.size();
    }
}
