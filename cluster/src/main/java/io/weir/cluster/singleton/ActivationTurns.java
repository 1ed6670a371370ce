package io.weir.cluster.singleton;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Who may activate now: a bounded number at once, first come first served. Confined to the member's loop; what waits is
 * bounded by the number of singletons.
 */
final class ActivationTurns {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final int max;
    private int taken;
    private volatile int waits;

    ActivationTurns(int max) {
        this.max = max;
    }

    /** Calls back when it is the caller's turn, at once if it is; the turn lasts until {@link #done}. */
    void ask(Runnable turn) {
        waiting.add(turn);
        next();
    }

    /** Asks no more. */
    void withdraw(Runnable turn) {
        waiting.remove(turn);
        waits = waiting.size();
    }

    /** A turn is over. */
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

    /** How many wait. From any thread. */
    int waiting() {
        return waits;
    }
}
