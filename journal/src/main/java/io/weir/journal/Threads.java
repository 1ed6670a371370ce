package io.weir.journal;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The two threads of a journal.
 *
 * @param writer runs the batches, one task at a time
 * @param background prepares and deletes segments
 * @param ending terminates both
 */
record Threads(Executor writer, Executor background, Runnable ending) {
    /** Dedicated threads, named after the journal for thread dumps. */
    static Threads own(String journal) {
        WriterThread writer = new WriterThread("weir.journal." + journal).start();
        ExecutorService background = single("weir.journal." + journal + ".segments");
        return new Threads(writer, background, () -> {
            writer.close();
            background.close();
        });
    }

    private static ExecutorService single(String name) {
        return Executors.newSingleThreadExecutor(
                task -> Thread.ofPlatform().name(name).daemon(true).unstarted(task));
    }

    void stop() {
        ending.run();
    }
}
