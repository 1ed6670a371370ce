package io.weir.cluster.singleton;

import java.util.concurrent.CompletableFuture;

/**
 * Where services' own code runs: never on the loop. Called from the loop only; futures complete on the loop only, and
 * fail with what the service threw. Time-outs and the number at once are the controller's; the simulator has its own.
 */
public interface Activations {
    /**
     * Makes an object of the service's class and calls its {@code activate} with the activation's fence. When it fails
     * nothing of it stays.
     */
    CompletableFuture<Void> activate(Activation activation);

    /**
     * Calls {@code deactivate} of the object that this activation made, however many others run, and drops it whatever
     * the outcome. Fails with {@link NotBegun} when it could not be called: then nothing is dropped, and the caller
     * retries.
     */
    CompletableFuture<Void> deactivate(Activation activation);

    /**
     * The activation is losing its lease: notifies the service if it listens, possibly concurrently with another call
     * of it.
     */
    default void lost(Activation activation) {
        // most have no listener
    }

    /** Aborts the call that runs for this activation: interrupts its thread; its future still completes. */
    void interrupt(Activation activation);
}
