package io.weir.server;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What {@code weir run} runs until it is stopped: one server, or the supervisor of several processes. */
public interface Running {
    /** Everything about the start is printed: a parent process that waits for it may go on. */
    void announced() throws IOException;

    /** Nothing more is printed on standard output. */
    void detach();

    /** Waits until everything logged so far is written. */
    void flushLog();

    /** Opens log files anew, after somebody moved them. */
    void reopenLogs();

    /** Completes with the status that the process is to exit with, when a server that failed ends by itself. */
    CompletableFuture<Integer> failure();

    /** URLs of the listeners that curl reaches without certificates, in the order of the configuration. */
    List<String> urls();

    /**
     * Stops accepting, lets requests in flight finish within {@code kernel.drain-time-out}, and closes everything.
     *
     * @return false when connections had to be cut off
     */
    boolean stop();
}
