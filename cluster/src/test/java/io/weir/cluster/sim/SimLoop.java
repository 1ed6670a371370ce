package io.weir.cluster.sim;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.log.Loop;
import io.weir.cluster.sim.Host.OnThread;
import java.util.random.RandomGenerator;

/** A member's loop in virtual time, for one life of its process. Confined to the simulation's thread. */
final class SimLoop implements Loop {
    private final Host host;
    private final int life;
    private final Chance chance;
    private final RandomGenerator delays;
    private final Clock clock;
    private long lastTask;
    private long sluggishness;
    private boolean here;

    SimLoop(Host host, Chance chance) {
        this.host = host;
        this.life = host.life();
        this.chance = chance;
        this.delays = chance.split().random();
        this.clock = host.clock();
    }

    /** Each task waits up to so long for its turn from now on. */
    void sluggish(long nanos) {
        sluggishness = nanos;
    }

    boolean isSluggish() {
        return sluggishness > 0;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Chance chance() {
        return chance;
    }

    @Override
    public void execute(Runnable task) {
        lastTask = Math.max(lastTask, host.time().now() + turn());
        host.time().at(lastTask, () -> host.in(life, OnThread.LOOP, () -> run(task)));
    }

    @Override
    public Cancellable after(long nanos, Runnable task) {
        if (nanos <= 0) {
            execute(task);
            return () -> {};
        }
        boolean[] cancelled = new boolean[1];
        Runnable unlessCancelled = () -> {
            if (!cancelled[0]) {
                run(task);
            }
        };
        host.afterLocal(OnThread.LOOP, nanos + turn(), () -> host.in(life, OnThread.LOOP, unlessCancelled));
        return () -> cancelled[0] = true;
    }

    @Override
    public boolean here() {
        return here;
    }

    private long turn() {
        long usual = delays.nextInt(200_000);
        return sluggishness == 0 ? usual : usual + delays.nextLong(sluggishness);
    }

    private void run(Runnable task) {
        boolean nested = here;
        here = true;
        try {
            task.run();
        } finally {
            here = nested;
        }
    }
}
