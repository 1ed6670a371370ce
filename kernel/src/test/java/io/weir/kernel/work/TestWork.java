package io.weir.kernel.work;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Configs;
import io.weir.kernel.KernelParts;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.Machine;
import java.util.Map;

/** Work managers without a kernel around them. */
public final class TestWork {
    final Stats stats;
    final RecordingLog log;
    public final Live<KernelConfig> config = new Live<>(Configs.kernel("stuck-threads.timer-interval=1s"));
    private final Clock clock;

    public TestWork(Stats stats, RecordingLog log) {
        this(stats, log, SystemClock.INSTANCE);
    }

    public TestWork(Stats stats, RecordingLog log, Clock clock) {
        this.stats = stats;
        this.log = log;
        this.clock = clock;
    }

    /** A work manager alone. */
    public WorkManager of(String name, WorkManagerConfig c) {
        WorkManager made =
                all(new Live<>(WorkConfig.NONE), Map.of(name, c)).all().get(name);
        if (made == null) {
            throw new IllegalStateException("it was not made");
        }
        return made;
    }

    public WorkManagers all(Live<WorkConfig> work, Map<String, WorkManagerConfig> managers) {
        KernelParts parts = new KernelParts(config, managers, clock, stats, log).with(work);
        Machine machine = new Machine(20_000, 2);
        return new WorkManagers(
                managers,
                parts.work(),
                parts.context(),
                new KernelLimits(config, machine, Configs.work().mostThreads(machine)),
                machine);
    }
}
