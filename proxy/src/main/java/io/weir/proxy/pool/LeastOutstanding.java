package io.weir.proxy.pool;

/**
 * The server with the fewest outstanding requests relative to its weight, over all muxers; round robin among equals.
 * Confined to its muxer, reads the counts of the others.
 */
final class LeastOutstanding implements Balancer {
    private int turn;

    LeastOutstanding(int first) {
        this.turn = first;
    }

    @Override
    public int choose(PoolServer[] servers, int[] weights, long key) {
        int best = -1;
        long bestActive = 0;
        for (int k = 0; k < servers.length; k++) {
            int i = Math.floorMod(k + turn, servers.length);
            if (weights[i] > 0) {
                long active = servers[i].active() + 1;
                if (best < 0 || active * weights[best] < bestActive * weights[i]) {
                    best = i;
                    bestActive = active;
                }
            }
        }
        turn = best < 0 ? turn : best + 1;
        return best;
    }
}
