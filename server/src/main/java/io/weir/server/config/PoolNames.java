package io.weir.server.config;

import io.weir.proxy.program.run.WorkPools;
import java.util.Set;

/**
 * The work managers and request classes that a configuration names, for checking a program without running it.
 * Immutable.
 */
public record PoolNames(Set<String> names, Set<String> requestClasses) implements WorkPools {
    public PoolNames {
        names = Set.copyOf(names);
        requestClasses = Set.copyOf(requestClasses);
    }

    @Override
    public boolean execute(String pool, Runnable task) {
        return false;
    }
}
