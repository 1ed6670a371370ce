package io.weir.proxy.pool;

/** What the engine hears of its pools, on whichever thread finds it. */
public interface PoolWatcher {
    /** A server went down or came back. */
    void changed(ServerPool pool, PoolServer server, Standing was, Standing now);

    /** A server takes part. */
    void joined(ServerPool pool, PoolServer server);

    /** A server gets no more requests; some may still be on their way. */
    void left(ServerPool pool, PoolServer server);
}
