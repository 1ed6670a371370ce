package io.weir.proxy.program;

import java.util.Set;

/** The work managers by name, as the program needs them for {@code pool=}. Shared. */
public interface WorkPools {
    /** The pool of functions that block and name none. */
    String DEFAULT = "default";

    /** No pools: a program that names one does not compile. */
    WorkPools NONE = new WorkPools() {
        @Override
        public Set<String> names() {
            return Set.of();
        }

        @Override
        public boolean execute(String pool, Runnable task) {
            return false;
        }
    };

    /** Names that {@code pool=} may use. */
    Set<String> names();

    /** Runs the task on a thread of the pool; false when its queue is full. */
    boolean execute(String pool, Runnable task);
}
