package io.weir.proxy.program.run;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the steps of a run's directives: on the run's loop, or on a thread of a work manager; and counts them in their
 * performance buckets. An exception of a step, or of its condition, is logged and becomes its outcome. Confined to the
 * run's loop.
 */
final class StepCalls {
    private final ProgramHost host;
    private final ProgramRun run;
    private final RunProfile profile;
    /** Waits for a thread, or runs on one. */
    private @Nullable PooledCall pooled;

    private @Nullable Directive guarded;
    private @Nullable RuntimeException guardFailure;
    private boolean objectFailed;

    StepCalls(ProgramHost host, ProgramRun run) {
        this.host = host;
        this.run = run;
        this.profile = new RunProfile(host.stats(), host.clock());
    }

    /** A request begins. */
    void begin() {
        profile.begin(
                run.program().buckets().unnamed(), run.request().virtualServer().ordinal());
        guarded = null;
        guardFailure = null;
        objectFailed = false;
    }

    /** The request has ended. */
    void end() {
        profile.end();
    }

    /** Calls a directive's step. */
    StepOutcome execute(Directive directive) {
        long began = profile.call(directive);
        StepOutcome outcome = called(directive);
        if (pooled == null) {
            profile.ran(directive, began, outcome);
        }
        return outcome;
    }

    /** Calls the step with which an awaited directive goes on. */
    StepOutcome resume(Directive directive, ServerFunction.Step then) {
        pooled = null;
        long began = profile.resume(directive);
        StepOutcome outcome = call(directive, then);
        profile.ran(directive, began, outcome);
        return outcome;
    }

    /** Nobody waits for the awaited step any longer. */
    void abandon() {
        profile.abandon();
        PooledCall call = pooled;
        if (call != null) {
            call.abandon();
            pooled = null;
        }
    }

    /** The condition of a directive failed: if the directive comes to run, it fails. */
    void guardFailed(Directive directive, RuntimeException cause) {
        guarded = directive;
        guardFailure = cause;
    }

    /** The condition of an object failed. */
    void objectFailed(ProgramObject object, RuntimeException cause) {
        if (!objectFailed) {
            host.log().log(ProxyMessages.FUNCTION_FAILED, "ppath", "the object " + object.name(), cause);
        }
        objectFailed = true;
    }

    boolean objectFailed() {
        return objectFailed;
    }

    private StepOutcome called(Directive directive) {
        RuntimeException failure = guarded != null && guarded.equals(directive) ? guardFailure : null;
        if (failure != null) {
            return host.failed(directive, failure);
        }
        String pool = directive.pool();
        return pool == null ? call(directive, directive.step()) : inPool(directive, pool);
    }

    private StepOutcome call(Directive directive, ServerFunction.Step step) {
        try {
            return step.run(run);
        } catch (RuntimeException e) {
            return host.failed(directive, e);
        }
    }

    private StepOutcome inPool(Directive directive, String pool) {
        Supplier<ServerFunction.Step> work;
        try {
            work = directive.step().detach(run);
        } catch (RuntimeException e) {
            return host.failed(directive, e);
        }
        PerformanceBucket named = directive.bucket();
        PerformanceBucket bucket = named == null ? run.program().buckets().unnamed() : named;
        int server = run.request().virtualServer().ordinal();
        PooledCall call = new PooledCall(host, directive, work, run.pend(), bucket, server);
        if (call.submit(run, pool)) {
            pooled = call;
            return StepOutcome.WAITING;
        }
        run.abandon();
        host.poolRefusals().inc();
        ServerFunction.Step busy = directive.busy();
        return busy == null ? StepOutcome.TOOBUSY : call(directive, busy);
    }
}
