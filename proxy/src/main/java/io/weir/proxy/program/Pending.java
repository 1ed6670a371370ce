package io.weir.proxy.program;

/** A function's promise of a later outcome. Shared: completed once, from any thread; the run goes on on its loop. */
@FunctionalInterface
public interface Pending {
    /**
     * Completes the function with a step that runs on the run's loop: its outcome is the function's. Later calls, and
     * calls after the run was abandoned, do nothing.
     */
    void complete(ServerFunction.Step then);

    /** Completes the function with an outcome. */
    default void complete(Outcome outcome) {
        complete(_ -> outcome);
    }
}
