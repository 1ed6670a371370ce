package io.weir.proxy.program.run;

import io.weir.kernel.work.RequestWork;
import org.jspecify.annotations.Nullable;

/**
 * A function's work for a request, queued for a thread. Immutable.
 *
 * @param pool the work manager
 * @param requestClass its request class; null: the work manager's
 * @param requester the user that it runs for
 * @param admitted the work manager is the request's, which has admitted the request
 * @param subject the request, for monitoring
 * @param task the work
 */
public record PoolWork(
        String pool,
        @Nullable String requestClass,
        Requester requester,
        boolean admitted,
        RequestWork.Subject subject,
        Runnable task)
        implements RequestWork {
    /** The authenticated user and groups; null if unknown. */
    public record Requester(@Nullable String user, @Nullable String groups) {
        /** The values of a run: the variables {@code auth-user} and {@code auth-group}. */
        public static Requester of(RunValues run) {
            return new Requester(run.variable(RunValues.USER), run.variable(RunValues.GROUPS));
        }
    }

    @Override
    public void run() {
        task.run();
    }
}
