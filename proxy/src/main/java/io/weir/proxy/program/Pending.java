package io.weir.proxy.program;

/** A function's promise of a later outcome. Shared: completed once, from any thread; the run goes on on its loop. */
@FunctionalInterface
public interface Pending {
    /** Completes the function; later calls, and calls after the run was abandoned, do nothing. */
    void complete(Outcome outcome);
}
