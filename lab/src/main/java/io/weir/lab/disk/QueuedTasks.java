package io.weir.lab.disk;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks on demand, on the caller's thread, so that a test controls the batches. Confined to that thread. */
public final class QueuedTasks implements Executor {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean direct;

    @Override
    public void execute(Runnable task) {
        if (direct) {
            task.run();
        } else {
            waiting.add(task);
        }
    }

    /** Runs the waiting tasks, and those that they add. */
    public void run() {
        for (Runnable t = waiting.poll(); t != null; t = waiting.poll()) {
            t.run();
        }
    }

    /** Whether tasks are waiting. */
    public boolean waits() {
        return !waiting.isEmpty();
    }

    /** Runs the next one. */
    public void runOne() {
        waiting.remove().run();
    }

    /** From now on each task runs immediately. */
    public void direct() {
        run();
        direct = true;
    }
}
