package io.weir.cluster.deploy;

import io.weir.cluster.singleton.ServiceCodeThreads;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for services' code that say when the last call has ended, so that a test's folder is deleted after it. */
final class CountedThreads implements ServiceCodeThreads {
    private final ServiceCodeThreads real = ServiceCodeThreads.of(8);
    private final AtomicInteger running = new AtomicInteger();

    @Override
    public boolean execute(Runnable task) {
        running.incrementAndGet();
        return begun(real.execute(() -> run(task)));
    }

    @Override
    public boolean beside(Runnable task) {
        running.incrementAndGet();
        return begun(real.beside(() -> run(task)));
    }

    private boolean begun(boolean begun) {
        if (!begun) {
            running.decrementAndGet();
        }
        return begun;
    }

    private void run(Runnable task) {
        try {
            task.run();
        } finally {
            running.decrementAndGet();
        }
    }

    @Override
    public int most() {
        return real.most();
    }

    @Override
    public void close() {
        real.close();
    }

    /** Whether no call runs. */
    boolean ended() {
        return running.get() == 0;
    }
}
