package io.weir.kernel.work;

import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's work managers with their request classes and constraints, and the check for stuck threads. Shared; {@link
 * #second} is confined to the kernel's ticking muxer.
 */
public final class WorkManagers {
    /** The work manager that the connection queue uses. */
    public static final String DEFAULT = "default";

    private static final long HALF_A_SECOND = 500_000_000L;

    private final KernelContext kernel;
    private final KernelLimits limits;
    private final Machine machine;
    private final Map<String, WorkManagerConfig> first;
    // confined to the thread that changes the configuration
    private final Map<String, ServiceClass> services = new HashMap<>();
    private final Map<String, MinThreads> minThreads = new HashMap<>();
    private final Map<String, MaxThreads> maxThreads = new HashMap<>();
    private final Map<String, Capacity> capacities = new HashMap<>();
    private final Map<String, Made> made = new HashMap<>();
    private final List<ExecutePool> pools = new CopyOnWriteArrayList<>();
    private final OverloadProtection overload;
    private volatile Map<String, RequestClass> classes = Map.of();
    private volatile Map<String, WorkManager> all = Map.of();
    private volatile Runnable changed = () -> {};
    private long lastReview;

    /** What a work manager was created from: if it differs, a new one replaces it. */
    private record Recipe(
            WorkManagerConfig config,
            boolean ordered,
            @Nullable ExecutePool lender,
            @Nullable MinThreads min,
            @Nullable MaxThreads max,
            @Nullable Capacity capacity,
            @Nullable RequestClass of) {}

    private record Made(WorkManager manager, ServiceClass share, Recipe recipe) {}

    public WorkManagers(
            Map<String, WorkManagerConfig> configured,
            Live<WorkConfig> work,
            KernelContext kernel,
            KernelLimits limits,
            Machine machine) {
        this.kernel = kernel;
        this.limits = limits;
        this.machine = machine;
        this.first = configured;
        this.lastReview = kernel.clock().nanos();
        this.overload = new OverloadProtection(limits, kernel.stats(), kernel.log());
        work.observe(this::configure);
    }

    /** Sets the action that runs after each change. */
    public void whenChanged(Runnable action) {
        changed = action;
    }

    /**
     * Applies a configuration. Shares, goals and counts change in place. A work manager that differs is replaced: its
     * work and its admitted requests finish on the old one, whose threads end when nothing is left for them.
     */
    private void configure(WorkConfig work) {
        Map<String, WorkManagerConfig> configured = configured(work);
        WorkManagerConfig standard = configured.get(DEFAULT);
        if (standard != null) {
            limits.threads(standard.mostThreads(machine));
        }
        ConstraintsConfig c = work.constraints();
        Stats stats = kernel.stats();
        each(
                c.minThreads(),
                minThreads,
                (n, v) -> new MinThreads(n, v.count(), stats),
                (m, v) -> m.configure(v.count()));
        each(
                c.maxThreads(),
                maxThreads,
                (n, v) -> new MaxThreads(n, v.count(), stats),
                (m, v) -> m.configure(v.count()));
        each(c.capacity(), capacities, (n, v) -> new Capacity(n, v.count(), stats), (m, v) -> m.configure(v.count()));
        requestClasses(work.requestClasses());
        managers(configured);
        // remove constraints that are no longer referenced
        gone(minThreads, c.minThreads().keySet(), WorkStats.MIN_PENDING, WorkStats.MIN_COMPLETED);
        gone(maxThreads, c.maxThreads().keySet(), WorkStats.MAX_RUNNING);
        gone(capacities, c.capacity().keySet(), WorkStats.CAPACITY_USED, WorkStats.CAPACITY_REFUSED);
        changed.run();
    }

    private Map<String, WorkManagerConfig> configured(WorkConfig work) {
        Map<String, WorkManagerConfig> given = work.managers();
        if (given == null) {
            return first;
        }
        Map<String, WorkManagerConfig> configured = new TreeMap<>(given);
        configured.putIfAbsent(DEFAULT, ConfigBinder.defaults(WorkManagerConfig.class));
        return configured;
    }

    private static <T, C> void each(
            Map<String, C> configured, Map<String, T> made, BiFunction<String, C, T> make, BiConsumer<T, C> follow) {
        configured.forEach((name, config) -> {
            T mine = made.get(name);
            if (mine == null) {
                made.put(name, make.apply(name, config));
            } else {
                follow.accept(mine, config);
            }
        });
    }

    private void gone(Map<String, ?> made, Set<String> configured, StatSpec... specs) {
        made.keySet().removeIf(name -> {
            boolean gone = !configured.contains(name);
            for (StatSpec spec : gone ? specs : new StatSpec[0]) {
                kernel.stats().remove(spec, name);
            }
            return gone;
        });
    }

    private void requestClasses(Map<String, RequestClassConfig> configured) {
        Map<String, RequestClassConfig> plain = new HashMap<>(configured);
        plain.values().removeIf(c -> c.context().given());
        services.entrySet().removeIf(e -> {
            boolean gone = !plain.containsKey(e.getKey());
            if (gone) {
                overload.unregister(e.getValue());
                kernel.stats().forget("request_class", e.getKey());
            }
            return gone;
        });
        each(plain, services, this::service, ServiceClass::configure);
        Map<String, RequestClass> next = new HashMap<>(services);
        configured.forEach((name, c) -> {
            if (c.context().given()) {
                next.put(name, byContext(c.context()));
            }
        });
        classes = Map.copyOf(next);
    }

    private ServiceClass service(String name, RequestClassConfig config) {
        ServiceClass service = ServiceClass.of(name, config, kernel.stats());
        overload.register(service);
        return service;
    }

    private void managers(Map<String, WorkManagerConfig> configured) {
        Map<String, Made> next = new TreeMap<>();
        configured.forEach((name, c) -> {
            if (c.threadsOf() == null) {
                next.put(name, made(name, recipe(c, ordered(name, c, configured), null)));
            }
        });
        configured.forEach((name, c) -> {
            String of = c.threadsOf();
            if (of != null) {
                ExecutePool lender =
                        known(next, of, "work manager with threads").manager().pool();
                next.put(name, made(name, recipe(c, lender.ordered(), lender)));
            }
        });
        Map<String, Made> before = new HashMap<>(made);
        made.clear();
        made.putAll(next);
        Map<String, WorkManager> now = new HashMap<>();
        next.forEach((name, m) -> now.put(name, m.manager()));
        all = Map.copyOf(now);
        before.forEach((name, m) -> {
            if (!m.equals(next.get(name))) {
                retire(name, m);
            }
        });
    }

    private void retire(String name, Made old) {
        overload.unregister(old.share());
        if (old.recipe().lender() == null) {
            old.manager().pool().retire();
        }
        Made next = made.get(name);
        if (next == null) {
            kernel.stats().forget("work_manager", name);
        }
        if (next == null || !next.recipe().ordered()) {
            kernel.stats().forget("request_class", old.share().name());
        }
        kernel.log().log(KernelMessages.WORK_MANAGER_GONE, name);
    }

    private Recipe recipe(WorkManagerConfig c, boolean ordered, @Nullable ExecutePool lender) {
        return new Recipe(
                c,
                ordered,
                lender,
                named(minThreads, c.minThreadsConstraint(), "min-threads constraint"),
                named(maxThreads, c.maxThreadsConstraint(), "max-threads constraint"),
                named(capacities, c.capacity(), "capacity"),
                named(classes, c.requestClass(), "request class"));
    }

    private Made made(String name, Recipe recipe) {
        Made mine = made.get(name);
        return mine != null && mine.recipe().equals(recipe) ? mine : manager(name, recipe);
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

    private boolean ordered(String name, WorkManagerConfig c, Map<String, WorkManagerConfig> configured) {
        return !classes.isEmpty()
                || c.minThreadsConstraint() != null
                || c.maxThreadsConstraint() != null
                || c.capacity() != null
                || configured.values().stream().anyMatch(other -> name.equals(other.threadsOf()));
    }

    private Made manager(String name, Recipe recipe) {
        WorkManagerConfig c = recipe.config();
        ExecutePool lender = recipe.lender();
        ExecutePool pool = lender == null ? pool(name, recipe) : lender;
        // counted only if the pool is ordered
        ServiceClass share = ServiceClass.ofWorkManager(name, pool.ordered() ? kernel.stats() : new Stats());
        overload.register(share);
        WorkManager manager = new WorkManager(
                name,
                pool,
                new Constraints(recipe.min(), recipe.max(), recipe.capacity()),
                recipe.of() == null ? RequestClass.DEFAULT : recipe.of(),
                share,
                c.shutDownTrigger(),
                overload,
                kernel.clock(),
                kernel.stats(),
                kernel.log());
        if (recipe.max() != null) {
            recipe.max().usedBy(pool);
        }
        if (lender == null) {
            kernel.log().log(
                    KernelMessages.WORK_MANAGER, name, pool.minThreads(), pool.maxThreads(), pool.queueCapacity());
            pool.start(manager);
        }
        return new Made(manager, share, recipe);
    }

    private ExecutePool pool(String name, Recipe recipe) {
        WorkManagerConfig c = recipe.config();
        ExecuteThreads factory = new ExecuteThreads(
                kernel.name() + ".work." + name, c.stackSize().bytes());
        ExecutePool pool = new ExecutePool(c, machine, factory, kernel.clock(), recipe.ordered());
        pools.add(pool);
        return pool;
    }

    public Map<String, WorkManager> all() {
        return all;
    }

    /** The class of this name, or null. */
    @Nullable
    public RequestClass requestClass(String name) {
        return classes.get(name);
    }

    public Set<String> classNames() {
        return classes.keySet();
    }

    /** The limits of all work managers together. */
    public OverloadProtection overload() {
        return overload;
    }

    /** Whether request classes are configured, so that requests are ordered. */
    public boolean ordered() {
        return !classes.isEmpty();
    }

    /** Called once a second: checks for stuck threads when the interval has passed. */
    public void second() {
        KernelConfig.StuckThreads config = limits.config().stuckThreads();
        long now = kernel.clock().nanos();
        // ticks are not exact: one that is slightly early must not delay the check by a whole second
        if (now - lastReview < config.timerInterval().toNanos() - HALF_A_SECOND) {
            return;
        }
        lastReview = now;
        for (ExecutePool pool : pools) {
            if (!config.maxTime().isZero()) {
                pool.all().forEach(t -> t.mark(now, config.maxTime()));
            }
        }
        all.values().forEach(w -> w.review(now, config.maxTime()));
        pools.removeIf(ExecutePool::over);
        overload.review(now, pools);
    }

    /** The requests in which threads are stuck. */
    public List<RequestWork.Subject> stuckRequests() {
        List<RequestWork.Subject> stuck = new ArrayList<>();
        for (ExecutePool pool : pools) {
            for (ExecuteThread t : pool.all()) {
                StuckWork s = t.stuck();
                RequestWork.Subject request = s == null ? null : s.subject();
                if (request != null) {
                    stuck.add(request);
                }
            }
        }
        return stuck;
    }

    /** Ends the threads; waits up to a second for each pool. */
    public void close() {
        for (ExecutePool pool : pools) {
            // Daemon threads: a hanging one does not keep the process alive.
            pool.stop().completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
        }
    }
}
