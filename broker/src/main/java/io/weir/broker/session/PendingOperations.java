package io.weir.broker.session;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Counts a session's unfinished operations (sends that wait for room or for the disk), and runs actions that must
 * follow them. Confined to the session's loop.
 */
public final class PendingOperations {
    private final Queue<Runnable> then = new ArrayDeque<>();
    private int pending;

    void begin() {
        pending++;
    }

    void end() {
        pending--;
        while (pending == 0 && !then.isEmpty()) {
            then.remove().run();
        }
    }

    public int pending() {
        return pending;
    }

    /** Runs an action when no operation is pending: now or later, in order. */
    void whenQuiet(Runnable action) {
        if (pending == 0 && then.isEmpty()) {
            action.run();
        } else {
            then.add(action);
        }
    }
}
