package io.weir.kernel.work;

import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.SessionState;

/** Work for a request: a thread that is stuck in it can be told by the request. */
public interface RequestWork extends Runnable {
    /** The request. Called by monitoring threads, at any time. */
    Subject subject();

    /**
     * A request that is worked for.
     *
     * @param connection the connection's {@link Connection#id}
     * @param since the clock's time when the request began, as {@link SessionState#begin} was told
     * @param function what is worked for it
     */
    record Subject(
            long connection,
            long since,
            String client,
            String virtualServer,
            String method,
            String uri,
            String function) {
        /** As the log names it. */
        @Override
        public String toString() {
            return method + " " + uri + " from " + client + " in " + function;
        }
    }
}
