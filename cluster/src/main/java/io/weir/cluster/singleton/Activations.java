package io.weir.cluster.singleton;

import java.util.concurrent.CompletableFuture;

/**
 * Executes service code, never on the loop. Called from the loop only; futures complete on the loop only, and fail with
 * the exception of the service. Time-outs and the concurrency limit are enforced by the controller; the simulator has
 * another implementation.
 */
public interface Activations {
    /**
     * Creates an instance of the service's class and calls its {@code activate} with the activation's fence. If it
     * fails the instance is discarded.
     */
    CompletableFuture<Void> activate(Activation activation);

    /**
     * Calls {@code deactivate} on this activation's instance, however many others run, and discards the instance
     * whatever the outcome. Fails with {@link NotBegun} if it could not be called: then the instance is kept, and the
     * caller retries.
     */
    CompletableFuture<Void> deactivate(Activation activation);

    /**
     * The activation is losing its lease: calls the service's loss listeners, possibly concurrently with another call
     * of the service.
     */
    default void lost(Activation activation) {
        // no listeners by default
    }

    /** Interrupts the thread of this activation's running call; its future still completes. */
    void interrupt(Activation activation);
}
