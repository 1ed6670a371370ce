package io.weir.server.admin;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers asynchronously what must be queried elsewhere, without a waiting thread. Shared: it is called by the admin
 * loop, must not block, and must always complete its answer.
 */
@FunctionalInterface
public interface LaterHandler {
    /** Starts to answer; an exception becomes a 500 without details and is logged and counted. */
    CompletableFuture<AdminAnswer> answer(AdminRequest request);

    /** The answer of the last second, for clients that cannot be queued; null if there is none. */
    default @Nullable AdminAnswer recent(AdminRequest request) {
        return null;
    }

    /** Whether the request joins others that wait for the same answer, so that it costs nothing of its own. */
    default boolean sharing(AdminRequest request) {
        return false;
    }
}
