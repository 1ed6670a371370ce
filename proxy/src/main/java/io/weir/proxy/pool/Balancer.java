package io.weir.proxy.pool;

/** Chooses a server. Confined to one muxer, which has one for each pool. */
interface Balancer {
    /**
     * Chooses a server.
     *
     * @param servers of the pool
     * @param weights for each server; 0: excluded
     * @param key of the request; its meaning depends on the balancer
     * @return an index, or -1 if every weight is 0
     */
    int choose(PoolServer[] servers, int[] weights, long key);
}
