package io.weir.kernel;

import io.weir.base.Log;
import io.weir.base.Stats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's work managers with their request classes and constraints, and the look-out for stuck threads. Shared;
 * {@link #second} is confined to the kernel's ticking muxer.
 */
final class WorkManagers {
    private static final long HALF_A_SECOND = 500_000_000L;

    private final KernelParts parts;
    private final Limits limits;
    private final Map<String, ServiceClass> services = new HashMap<>();
    private final Map<String, RequestClass> classes = new HashMap<>();
    private final Map<String, MinThreads> minThreads = new HashMap<>();
    private final Map<String, MaxThreads> maxThreads = new HashMap<>();
    private final Map<String, Capacity> capacities = new HashMap<>();
    private final Map<String, WorkManager> all;
    private final List<ExecutePool> pools = new ArrayList<>();
    private final OverloadProtection overload;
    private long looked;

    WorkManagers(Map<String, WorkManagerConfig> configured, KernelParts parts, Limits limits, Machine machine) {
        this.parts = parts;
        this.limits = limits;
        this.looked = parts.clock().nanos();
        this.overload = new OverloadProtection(limits, parts.stats(), parts.log());
        WorkConfig work = parts.work().get();
        constraints(work.constraints());
        work.requestClasses().forEach((name, c) -> {
            if (!c.context().given()) {
                services.put(name, ServiceClass.of(name, c, parts.stats()));
            }
        });
        services.values().forEach(overload::knows);
        classes.putAll(services);
        work.requestClasses().forEach((name, c) -> {
            if (c.context().given()) {
                classes.put(name, byContext(c.context()));
            }
        });
        Map<String, WorkManager> made = new TreeMap<>();
        configured.forEach((name, c) -> {
            if (c.threadsOf() == null) {
                ExecutePool pool = pool(name, c, configured, machine);
                pools.add(pool);
                made.put(name, manager(name, c, pool));
            }
        });
        configured.forEach((name, c) -> {
            String of = c.threadsOf();
            if (of != null) {
                made.put(
                        name,
                        manager(
                                name,
                                c,
                                known(made, of, "work manager with threads").pool()));
            }
        });
        this.all = Map.copyOf(made);
        parts.work().observe(this::configure);
    }

    private void constraints(ConstraintsConfig c) {
        Stats stats = parts.stats();
        c.minThreads().forEach((n, v) -> minThreads.put(n, new MinThreads(n, v.count(), stats)));
        c.maxThreads().forEach((n, v) -> maxThreads.put(n, new MaxThreads(n, v.count(), stats)));
        c.capacity().forEach((n, v) -> capacities.put(n, new Capacity(n, v.count(), stats)));
    }

    private RequestClass byContext(RequestClassConfig.ContextConfig c) {
        String otherwise = c.otherwise();
        return new RequestClass.ByContext(
                chosen(c.users()),
                chosen(c.groups()),
                otherwise == null ? RequestClass.DEFAULT : known(services, otherwise, "request class"));
    }

    private Map<String, RequestClass> chosen(Map<String, String> names) {
        Map<String, RequestClass> chosen = new HashMap<>();
        names.forEach((who, name) -> chosen.put(who, known(services, name, "request class")));
        return chosen;
    }

    private static <T> T known(Map<String, T> all, String name, String what) {
        T found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no " + what + " \"" + name + "\"; known: " + all.keySet());
        }
        return found;
    }

    private static <T> @Nullable T named(Map<String, T> all, @Nullable String name, String what) {
        return name == null ? null : known(all, name, what);
    }

    private ExecutePool pool(
            String name, WorkManagerConfig c, Map<String, WorkManagerConfig> configured, Machine machine) {
        boolean ordered = !classes.isEmpty()
                || constrained(c)
                || configured.values().stream().anyMatch(other -> name.equals(other.threadsOf()));
        ExecuteThreads factory =
                new ExecuteThreads(parts.name() + ".work." + name, c.stackSize().bytes());
        return new ExecutePool(c, machine, factory, parts.clock(), ordered);
    }

    private static boolean constrained(WorkManagerConfig c) {
        return c.minThreadsConstraint() != null || c.maxThreadsConstraint() != null || c.capacity() != null;
    }

    private WorkManager manager(String name, WorkManagerConfig c, ExecutePool pool) {
        Log log = parts.log();
        Constraints own = new Constraints(
                named(minThreads, c.minThreadsConstraint(), "min-threads constraint"),
                named(maxThreads, c.maxThreadsConstraint(), "max-threads constraint"),
                named(capacities, c.capacity(), "capacity"));
        RequestClass of = named(classes, c.requestClass(), "request class");
        // shown only where there is an order that it stands in
        ServiceClass share = ServiceClass.ofWorkManager(name, pool.ordered() ? parts.stats() : new Stats());
        overload.knows(share);
        WorkManager made = new WorkManager(
                name,
                pool,
                own,
                of == null ? RequestClass.DEFAULT : of,
                share,
                c.shutDownTrigger(),
                overload,
                parts.clock(),
                parts.stats(),
                log);
        MaxThreads max = own.max();
        if (max != null) {
            max.usedBy(pool);
        }
        if (c.threadsOf() == null) {
            log.log(KernelMessages.WORK_MANAGER, name, pool.minThreads(), pool.maxThreads(), pool.queueCapacity());
            pool.start(made);
        }
        return made;
    }

    /** Shares, goals and counts follow a live change; a name that is not known needs a restart. */
    private void configure(WorkConfig work) {
        each(work.requestClasses(), services, (s, c) -> s.configure(c));
        each(work.constraints().minThreads(), minThreads, (m, c) -> m.configure(c.count()));
        each(work.constraints().maxThreads(), maxThreads, (m, c) -> m.configure(c.count()));
        each(work.constraints().capacity(), capacities, (m, c) -> m.configure(c.count()));
    }

    private static <T, C> void each(Map<String, C> configured, Map<String, T> made, Configuring<T, C> how) {
        configured.forEach((name, c) -> {
            T mine = made.get(name);
            if (mine != null) {
                how.configure(mine, c);
            }
        });
    }

    private interface Configuring<T, C> {
        void configure(T made, C config);
    }

    Map<String, WorkManager> all() {
        return all;
    }

    /** The class of this name, or null. */
    @Nullable
    RequestClass requestClass(String name) {
        return classes.get(name);
    }

    Set<String> classNames() {
        return Set.copyOf(classes.keySet());
    }

    /** What bounds them all. */
    OverloadProtection overload() {
        return overload;
    }

    /** Whether requests are put in an order of classes. */
    boolean ordered() {
        return !classes.isEmpty();
    }

    /** Once a second: looks for stuck threads when the interval is over. */
    void second() {
        KernelConfig.StuckThreads config = limits.config().stuckThreads();
        long now = parts.clock().nanos();
        // seconds are not exact: one that comes a little early must not cost a whole further one
        if (now - looked < config.timerInterval().toNanos() - HALF_A_SECOND) {
            return;
        }
        looked = now;
        for (ExecutePool pool : pools) {
            if (!config.maxTime().isZero()) {
                pool.all().forEach(t -> t.mark(now, config.maxTime()));
            }
        }
        all.values().forEach(w -> w.review(now, config.maxTime()));
        overload.review(now, pools);
    }

    /** What threads are stuck in. */
    List<StuckWork> stuck() {
        List<StuckWork> stuck = new ArrayList<>();
        for (ExecutePool pool : pools) {
            for (ExecuteThread t : pool.all()) {
                StuckWork s = t.stuck();
                if (s != null) {
                    stuck.add(s);
                }
            }
        }
        return stuck;
    }

    /** Ends the threads; waits a second for each pool. */
    void close() {
        for (ExecutePool pool : pools) {
            // Daemon threads: one that hangs does not keep the process alive.
            pool.stop().completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
        }
    }
}
