package io.weir.kernel.work;

import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.SessionState;

/** Work done for a request, which identifies the request: a report of a stuck thread shows it. */
public interface RequestWork extends Runnable {
    /** The request. Called by monitoring threads, at any time. */
    Subject subject();

    /**
     * A request for which work is done.
     *
     * @param connection the connection's {@link Connection#id}
     * @param since the clock's time when the request began, as passed to {@link SessionState#begin}
     * @param function the work done for it
     */
    record Subject(
            long connection,
            long since,
            String client,
            String virtualServer,
            String method,
            String uri,
            String function) {
        /** The form for the log. */
        @Override
        public String toString() {
            return method + " " + uri + " from " + client + " in " + function;
        }
    }
}
