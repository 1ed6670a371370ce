package io.weir.proxy.pool;

/** Chooses a server. Confined to one muxer, which has one for each pool. */
interface Balancer {
    /**
     * Chooses.
     *
     * @param servers of the pool
     * @param weights for each server; 0: not to be chosen
     * @param key of the request; what it means is the balancer's
     * @return an index, or -1 when every weight is 0
     */
    int choose(PoolServer[] servers, int[] weights, long key);
}
