package io.weir.cluster.singleton;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Limits the number of concurrent activations; waiting ones are served in FIFO order. Confined to the member's loop;
 * the queue is bounded by the number of singletons.
 */
final class ActivationTurns {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final int max;
    private int taken;
    private volatile int waits;

    ActivationTurns(int max) {
        this.max = max;
    }

    /** Calls back when a slot is free, possibly immediately; the slot is held until {@link #done}. */
    void request(Runnable turn) {
        waiting.add(turn);
        next();
    }

    /** Cancels a waiting request. */
    void withdraw(Runnable turn) {
        waiting.remove(turn);
        waits = waiting.size();
    }

    /** Frees a slot. */
    void done() {
        taken--;
        next();
    }

    private void next() {
        while (taken < max && !waiting.isEmpty()) {
            taken++;
            waiting.remove().run();
        }
        waits = waiting.size();
    }

    /** The number of waiting requests. From any thread. */
    int waiting() {
        return waits;
    }
}
