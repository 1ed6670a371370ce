package io.weir.proxy.program.run;

import java.util.Set;

/** The work managers by name, as the program needs them for {@code pool=}. Shared. */
public interface WorkPools {
    /** The work manager of requests that name none. */
    String DEFAULT = "default";

    /** In a directive: the request's work manager, whichever that is. */
    String OF_REQUEST = "";

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

    /** Names of request classes. */
    default Set<String> requestClasses() {
        return Set.of();
    }

    /** Runs a function's work under its work manager and class; returns false if that is full. */
    default boolean execute(PoolWork work) {
        return execute(work.pool(), work);
    }

    /** Runs the task on a thread of the pool; returns false if its queue is full. */
    boolean execute(String pool, Runnable task);
}
