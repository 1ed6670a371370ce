package io.weir.proxy.upstream;

import io.weir.base.Counter;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many fetches run or wait on one muxer for each client address: a streaming client holds an origin connection for
 * as long, and no client may starve others of them. Confined to its muxer.
 */
public final class AddressShares {
    /** No bound. */
    public static final int ALL = Integer.MAX_VALUE;

    /** Addresses without a fetch are remembered up to so many, so that a request usually makes nothing new. */
    private static final int REMEMBERED = 1024;

    /** What is not counted: this machine's own requests, a trusted peer's, checks, validations in the background. */
    static final Share UNCOUNTED = new Share(false);

    /** That address has its share. */
    public static final Share REFUSED = new Share(false);

    /** The fetches of one address. */
    public static final class Share {
        private final boolean counts;
        private int fetches;

        private Share(boolean counts) {
            this.counts = counts;
        }

        /** One is over. */
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
     * @param bounds of this muxer, now
     * @param refused counts who came too many
     */
    public AddressShares(Supplier<PoolBounds> bounds, Counter refused) {
        this.bounds = bounds;
        this.refused = refused;
    }

    /**
     * One more fetch for this address, which {@link Share#leave} ends; {@link #REFUSED} when it has as many as it may.
     *
     * @param client null for what is not counted
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

    /** Addresses that are remembered. */
    public int remembered() {
        return shares.size();
    }
}
