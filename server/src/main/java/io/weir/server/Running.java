package io.weir.server;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What {@code weir run} runs until it is stopped: a single server, or the supervisor of several processes. */
public interface Running {
    /** Called once everything about the start is printed: a parent process that waits for it can continue. */
    void announced() throws IOException;

    /** Stops printing on standard output. */
    void detach();

    /** Waits until everything logged so far is written. */
    void flushLog();

    /** Reopens the log files, after they were moved. */
    void reopenLogs();

    /** Completes with the process's exit status when a failed server ends itself. */
    CompletableFuture<Integer> failure();

    /** URLs of the listeners that curl can reach without certificates, in the order of the configuration. */
    List<String> urls();

    /**
     * Stops accepting, lets requests in flight finish within {@code kernel.drain-time-out}, and closes everything.
     *
     * @return false when connections had to be cut off
     */
    boolean stop();
}
