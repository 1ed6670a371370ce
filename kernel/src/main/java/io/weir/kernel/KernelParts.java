package io.weir.kernel;

import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.Machine;
import io.weir.kernel.work.WorkConfig;
import io.weir.kernel.work.WorkManagerConfig;
import io.weir.kernel.work.WorkManagers;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a kernel is made of. Immutable.
 *
 * @param config the section {@code kernel}; dynamic knobs are read at each use
 * @param workManagers work managers by name; {@code default} is added with defaults if missing
 * @param work request classes and constraints; changes of shares, goals and counts are applied
 * @param clock the time for all limits and statistics
 * @param stats where statistics are declared; a second kernel in the process needs its own
 * @param log where messages go
 * @param name first part of thread names: {@code weir}, for a second kernel for example {@code weir.admin}
 * @param tickets file from which several processes derive the keys of session tickets; null for keys of its own
 * @param makesRoom whether at max-connections the connection that has waited longest for its client is closed for a new
 * one; otherwise the new one is closed
 */
public record KernelParts(
        Live<KernelConfig> config,
        Map<String, WorkManagerConfig> workManagers,
        Live<WorkConfig> work,
        Clock clock,
        Stats stats,
        Log log,
        String name,
        @Nullable Path tickets,
        boolean makesRoom) {
    public KernelParts {
        Map<String, WorkManagerConfig> managers = new TreeMap<>(workManagers);
        managers.computeIfAbsent(WorkManagers.DEFAULT, _ -> ConfigBinder.defaults(WorkManagerConfig.class));
        workManagers = Collections.unmodifiableMap(managers);
    }

    /** Parts of the server's main kernel. */
    public KernelParts(
            Live<KernelConfig> config, Map<String, WorkManagerConfig> workManagers, Clock clock, Stats stats, Log log) {
        this(config, workManagers, new Live<>(WorkConfig.NONE), clock, stats, log, "weir", null, false);
    }

    /** Parts of another kernel in the process. */
    public KernelParts(
            Live<KernelConfig> config,
            Map<String, WorkManagerConfig> workManagers,
            Clock clock,
            Stats stats,
            Log log,
            String name) {
        this(config, workManagers, new Live<>(WorkConfig.NONE), clock, stats, log, name, null, false);
    }

    /** The limits on a machine. */
    KernelLimits limits(Machine machine) {
        WorkManagerConfig standard = Objects.requireNonNull(workManagers.get(WorkManagers.DEFAULT));
        return new KernelLimits(config, machine, standard.mostThreads(machine));
    }

    public KernelContext context() {
        return new KernelContext(name, clock, stats, log);
    }

    /** A copy with request classes and constraints. */
    public KernelParts with(Live<WorkConfig> classes) {
        return new KernelParts(config, workManagers, classes, clock, stats, log, name, tickets, makesRoom);
    }

    /**
     * A copy for a listener that must stay reachable whatever its clients do: it evicts connections that wait for their
     * client.
     */
    public KernelParts makingRoom() {
        return new KernelParts(config, workManagers, work, clock, stats, log, name, tickets, true);
    }

    /** A copy with another name. */
    public KernelParts named(String other) {
        return new KernelParts(config, workManagers, work, clock, stats, log, other, tickets, makesRoom);
    }

    /** A copy for one of several processes that share session tickets. */
    public KernelParts sharing(@Nullable Path file) {
        return new KernelParts(config, workManagers, work, clock, stats, log, name, file, makesRoom);
    }
}
