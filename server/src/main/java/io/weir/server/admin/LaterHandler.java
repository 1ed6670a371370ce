package io.weir.server.admin;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Answers what has to be asked elsewhere, without a thread that waits for it. Shared: it is called by the admin loop, and must
 * neither block nor leave its answer open for ever.
 */
@FunctionalInterface
public interface LaterHandler {
    /** Begins to answer; an exception becomes a 500 without details and is logged and counted. */
    CompletableFuture<AdminAnswer> answer(AdminRequest request);

    /** What was answered within the last second, for whom there is no place to wait; null where nothing was. */
    default @Nullable AdminAnswer recent(AdminRequest request) {
        return null;
    }
}
