package io.weir.proxy.cache;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/** An event loop that runs when the test says so. */
final class TestLoop implements Executor {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    int size() {
        return tasks.size();
    }

    /** Runs the oldest task; false when there is none. */
    boolean step() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    void run() {
        while (step()) {
            // until nothing is left
        }
    }
}
