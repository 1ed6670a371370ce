package io.weir.proxy.program.run;

import java.util.function.Supplier;

/**
 * Calls a directive's step: on the run's loop, or on a thread of a work manager. An exception of a step is logged and
 * becomes an outcome; its time is counted in the directive's performance bucket. Stateless.
 */
final class StepCalls {
    private StepCalls() {}

    /** Calls a step on the loop, and counts its time. */
    static StepOutcome call(ProgramHost host, FunctionContext run, Directive directive, ServerFunction.Step step) {
        long began = began(host, directive);
        StepOutcome outcome = attempt(host, run, directive, step);
        spent(host, directive, began);
        return outcome;
    }

    /** Calls a step on the loop, without counting its time. */
    static StepOutcome attempt(ProgramHost host, FunctionContext run, Directive directive, ServerFunction.Step step) {
        try {
            return step.run(run);
        } catch (RuntimeException e) {
            return failed(host, directive, e);
        }
    }

    private static StepOutcome failed(ProgramHost host, Directive directive, RuntimeException cause) {
        host.log().log(ProxyMessages.FUNCTION_FAILED, directive.function().name(), directive.place(), cause);
        return StepOutcome.ABORTED;
    }

    private static long began(ProgramHost host, Directive directive) {
        return directive.counters() == null ? 0 : host.clock().nanos();
    }

    private static void spent(ProgramHost host, Directive directive, long began) {
        BucketCounters bucket = directive.counters();
        if (bucket != null) {
            bucket.add(host.stats(), host.clock().nanos() - began);
        }
    }

    /**
     * Submits detached work to a thread of a pool; its result completes the promise.
     *
     * @return false if the pool is full: then nothing was started
     */
    static boolean submit(
            ProgramHost host,
            FunctionContext run,
            Directive directive,
            String pool,
            Supplier<ServerFunction.Step> work,
            PendingStep promise) {
        String requests = run.workManager();
        String of = requests == null ? WorkPools.DEFAULT : requests;
        String on = pool.equals(WorkPools.OF_REQUEST) ? of : pool;
        boolean own = on.equals(of);
        if (own && !run.request().admit()) {
            return false;
        }
        String named = directive.requestClass();
        long queued = host.clock().nanos();
        return host.pools()
                .execute(new PoolWork(
                        on,
                        named == null && own ? run.requestClass() : named,
                        PoolWork.Requester.of(run),
                        own,
                        run.request().subject(directive.function().name()),
                        () -> {
                            host.dispatched(directive, host.clock().nanos() - queued);
                            promise.complete(worked(host, directive, work));
                        }));
    }

    private static ServerFunction.Step worked(
            ProgramHost host, Directive directive, Supplier<ServerFunction.Step> work) {
        long began = began(host, directive);
        try {
            return work.get();
        } catch (RuntimeException e) {
            return _ -> failed(host, directive, e);
        } finally {
            spent(host, directive, began);
        }
    }
}
