package io.weir.server.config;

import io.weir.proxy.program.WorkPools;
import java.util.Set;

/** The pools that a configuration names, for checking a program that is not run. Immutable. */
public record PoolNames(Set<String> names) implements WorkPools {
    public PoolNames {
        names = Set.copyOf(names);
    }

    @Override
    public boolean execute(String pool, Runnable task) {
        return false;
    }
}
