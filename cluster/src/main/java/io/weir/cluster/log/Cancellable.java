package io.weir.cluster.log;

/** A task that waits for its time on a {@link Loop}. */
@FunctionalInterface
public interface Cancellable {
    /** It will not run any more; without effect when it ran, or was cancelled, already. From the loop. */
    void cancel();
}
