package io.weir.proxy.program.run;

/** A function's promise of a later outcome. Shared: completed once, from any thread; the run continues on its loop. */
@FunctionalInterface
public interface PendingStep {
    /**
     * Completes the function with a step that runs on the run's loop: its outcome is the function's. Later calls, and
     * calls after the run was abandoned, have no effect.
     */
    void complete(ServerFunction.Step then);

    /** Completes the function with an outcome. */
    default void complete(StepOutcome outcome) {
        complete(_ -> outcome);
    }
}
