package io.weir.cluster.log;

/** A task scheduled on a {@link Loop}. */
@FunctionalInterface
public interface Cancellable {
    /** Cancels the task; no effect if it already ran or was cancelled. Called on the loop. */
    void cancel();
}
