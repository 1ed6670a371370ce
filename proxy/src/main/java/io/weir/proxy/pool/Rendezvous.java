package io.weir.proxy.pool;

/**
 * Consistent hashing by the highest random weight: each server gets a number from the request's key and its own name,
 * and the highest wins. A removed server moves only its own keys, each to the next highest; an added one gets its share
 * and nothing else moves. Stateless, the same on all muxers.
 */
final class Rendezvous implements Balancer {
    private static final double UNIT = 0x1.0p-53;

    @Override
    public int choose(PoolServer[] servers, int[] weights, long key) {
        return equal(weights, servers.length) ? plain(servers, weights, key) : weighted(servers, weights, key);
    }

    private static boolean equal(int[] weights, int n) {
        int seen = 0;
        for (int i = 0; i < n; i++) {
            if (weights[i] > 0) {
                if (seen > 0 && weights[i] != seen) {
                    return false;
                }
                seen = weights[i];
            }
        }
        return true;
    }

    private static int plain(PoolServer[] servers, int[] weights, long key) {
        int best = -1;
        long highest = 0;
        for (int i = 0; i < servers.length; i++) {
            if (weights[i] > 0) {
                long drawn = draw(servers[i], key);
                if (best < 0 || drawn > highest) {
                    best = i;
                    highest = drawn;
                }
            }
        }
        return best;
    }

    private static int weighted(PoolServer[] servers, int[] weights, long key) {
        int best = -1;
        double highest = 0;
        for (int i = 0; i < servers.length; i++) {
            if (weights[i] > 0) {
                double drawn = weights[i] / -Math.log((draw(servers[i], key) + 0.5) * UNIT);
                if (best < 0 || drawn > highest) {
                    best = i;
                    highest = drawn;
                }
            }
        }
        return best;
    }

    /** 53 bits: the same order whether compared as integers or as fractions. */
    private static long draw(PoolServer server, long key) {
        return Hashing.mix(key ^ server.seed()) >>> 11;
    }
}
