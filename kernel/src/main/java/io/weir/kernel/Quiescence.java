package io.weir.kernel;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** When nobody can still be using what muxers read from a shared field before it was replaced. Stateless. */
final class Quiescence {
    private Quiescence() {}

    /** Runs the action once every muxer has ended what it was doing, or has ended. */
    static void after(Muxers muxers, Runnable action) {
        List<Muxer> all = muxers.all();
        AtomicInteger left = new AtomicInteger(all.size());
        Runnable one = () -> {
            if (left.decrementAndGet() == 0) {
                action.run();
            }
        };
        for (Muxer muxer : all) {
            try {
                muxer.eventLoop().execute(one);
            } catch (RejectedExecutionException e) {
                one.run(); // it ended, and everything that it used with it
            }
        }
    }
}
