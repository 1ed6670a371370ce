package io.weir.proxy.program.run;

import io.weir.base.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A function's call that waits for a thread of a work manager, or runs on one. Shared: the run's loop creates and
 * abandons it, a thread runs it.
 */
final class PooledCall implements Runnable {
    private final ProgramHost host;
    private final Directive directive;
    private final Supplier<ServerFunction.Step> work;
    private final PendingStep promise;
    private final @Nullable PerformanceBucket bucket;
    private final int server;
    private final long queued;
    private volatile boolean abandoned;

    /**
     * A call.
     *
     * @param work copied from the run
     * @param promise completed with the result of the work
     * @param bucket counts the wait for the thread; null: nothing is counted
     * @param server the ordinal of the virtual server
     */
    PooledCall(
            ProgramHost host,
            Directive directive,
            Supplier<ServerFunction.Step> work,
            PendingStep promise,
            @Nullable PerformanceBucket bucket,
            int server) {
        this.host = host;
        this.directive = directive;
        this.work = work;
        this.promise = promise;
        this.bucket = bucket;
        this.server = server;
        this.queued = bucket == null ? 0 : host.clock().nanos();
    }

    /**
     * Submits it under the directive's work manager.
     *
     * @return false if that is full: then nothing was started
     */
    boolean submit(FunctionContext run, String pool) {
        String requests = run.workManager();
        String of = requests == null ? WorkPools.DEFAULT : requests;
        String on = pool.equals(WorkPools.OF_REQUEST) ? of : pool;
        boolean own = on.equals(of);
        if (own && !run.request().admit()) {
            return false;
        }
        String named = directive.requestClass();
        return host.pools()
                .execute(new PoolWork(
                        on,
                        named == null && own ? run.requestClass() : named,
                        PoolWork.Requester.of(run),
                        own,
                        run.request().subject(directive.function().name()),
                        this));
    }

    /** Nobody waits for it any longer: unless it runs already, it will not. */
    void abandon() {
        abandoned = true;
    }

    @Override
    public void run() {
        PerformanceBucket counted = bucket;
        if (counted != null) {
            counted.dispatched(host.stats(), server, host.clock().nanos() - queued);
        }
        if (abandoned) {
            host.poolSkips().inc();
        } else {
            promise.complete(worked());
        }
    }

    private ServerFunction.Step worked() {
        Clock clock = host.clock();
        PerformanceBucket named = directive.bucket();
        long began = named == null ? 0 : clock.nanos();
        try {
            return work.get();
        } catch (RuntimeException e) {
            return _ -> host.failed(directive, e);
        } finally {
            if (named != null) {
                named.spent(host.stats(), server, clock.nanos() - began);
            }
        }
    }
}
