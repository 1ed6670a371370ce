package io.weir.proxy;

import io.weir.kernel.Kernel;
import io.weir.proxy.program.WorkPools;
import java.util.Set;

/** The kernel's work managers as the request program names them. Shared. */
record KernelPools(Kernel kernel) implements WorkPools {
    @Override
    public Set<String> names() {
        return kernel.workManagers().keySet();
    }

    @Override
    public boolean execute(String pool, Runnable task) {
        return kernel.workManager(pool).execute(task);
    }
}
