package io.weir.proxy.pool;

/** The engine's callbacks from its pools, on the thread that made the change. */
public interface PoolWatcher {
    /** A server went down or is up again. */
    void changed(ServerPool pool, PoolServer server, Standing was, Standing now);

    /** A server was added. */
    void joined(ServerPool pool, PoolServer server);

    /** A server gets no more requests; some may still be outstanding. */
    void left(ServerPool pool, PoolServer server);
}
