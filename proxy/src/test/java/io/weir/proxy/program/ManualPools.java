package io.weir.proxy.program;

import io.weir.proxy.program.run.PoolWork;
import io.weir.proxy.program.run.WorkPools;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Work managers for tests: they run what waits when they are told to, and are full when told so. Owned by one test. */
final class ManualPools implements WorkPools {
    /** What was submitted, as {@code pool function}. */
    final List<String> submitted = new ArrayList<>();

    final List<Runnable> tasks = new ArrayList<>();
    boolean full;
    private final Set<String> names;

    ManualPools(String... names) {
        this.names = Set.of(names);
    }

    @Override
    public Set<String> names() {
        return names;
    }

    @Override
    public boolean execute(PoolWork work) {
        boolean accepted = execute(work.pool(), work);
        if (accepted) {
            submitted.add(work.pool() + " " + work.subject().function());
        }
        return accepted;
    }

    @Override
    public boolean execute(String pool, Runnable task) {
        return !full && tasks.add(task);
    }

    /** Runs everything that waits. */
    void run() {
        List<Runnable> now = List.copyOf(tasks);
        tasks.clear();
        now.forEach(Runnable::run);
    }
}
