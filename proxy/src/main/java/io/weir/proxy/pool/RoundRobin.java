package io.weir.proxy.pool;

import java.util.Arrays;

/**
 * Smooth weighted round robin: with weights 5, 1, 1 the heavy server is not chosen five times in a row. Each choice
 * raises every server by its weight, takes the highest and lowers it by the sum. Confined to its muxer.
 */
final class RoundRobin implements Balancer {
    private final int first;
    private PoolServer[] seen = new PoolServer[0];
    private long[] current = new long[0];

    /** Starts at a given position, so that muxers do not all start with the same server. */
    RoundRobin(int first) {
        this.first = first;
    }

    @Override
    public int choose(PoolServer[] servers, int[] weights, long key) {
        if (!Arrays.equals(servers, seen)) {
            seen = servers;
            current = new long[servers.length];
        }
        long sum = 0;
        int best = -1;
        for (int k = 0; k < servers.length; k++) {
            int i = (k + first) % servers.length;
            if (weights[i] > 0) {
                sum += weights[i];
                current[i] += weights[i];
                best = best < 0 || current[i] > current[best] ? i : best;
            }
        }
        if (best >= 0) {
            current[best] -= sum;
        }
        return best;
    }
}
