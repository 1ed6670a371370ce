package io.weir.proxy.program.run;

import io.weir.kernel.work.RequestWork;
import org.jspecify.annotations.Nullable;

/**
 * A function's work for a request, queued for a thread. Immutable.
 *
 * @param pool the work manager
 * @param requestClass its request class; null: the work manager's
 * @param asker for whom
 * @param admitted the work manager is the request's, which has taken the request in
 * @param subject what it is about, for monitoring
 * @param task what is done
 */
public record PoolWork(
        String pool,
        @Nullable String requestClass,
        Asker asker,
        boolean admitted,
        RequestWork.Subject subject,
        Runnable task)
        implements RequestWork {
    /** The authenticated user and groups; null where unknown. */
    public record Asker(@Nullable String user, @Nullable String groups) {
        /** What a run knows: the variables {@code auth-user} and {@code auth-group}. */
        public static Asker of(RunValues run) {
            return new Asker(run.variable(RunValues.USER), run.variable(RunValues.GROUPS));
        }
    }

    @Override
    public void run() {
        task.run();
    }
}
