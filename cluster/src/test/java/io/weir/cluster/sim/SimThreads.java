package io.weir.cluster.sim;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.ServiceCodeThreads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Threads of a process in virtual time, for the real {@link io.weir.cluster.singleton.ServiceThreads}: a task's code runs at
 * once, but it lasts as long as it says ({@link #lasts}), and what it tells the loop arrives at its end. Confined to the simulation's
 * thread; lives as long as the process.
 */
final class SimThreads implements ServiceCodeThreads {
    private static final long SWITCH = 200_000;
    private static final long SLOWEST_FETCH = 5 * VirtualTime.SECOND;

    private final Host host;
    private final World world;
    private final int most;
    private int bounded;
    private int beside;
    private int mostBeside;
    private @Nullable Running current;

    /** A task that runs. */
    final class Running {
        private final boolean ofTheBounded;
        private final List<Runnable> told = new ArrayList<>();
        private Runnable last = () -> {};
        private long takes;
        private boolean listens = true;
        private boolean over;

        Running(boolean ofTheBounded) {
            this.ofTheBounded = ofTheBounded;
        }

        /** Its thread was interrupted: it ends now, if it listens. */
        void interrupt() {
            if (listens) {
                host.after(Host.OnThread.SERVICE, SWITCH, this::end);
            }
        }

        private void end() {
            if (over) {
                return;
            }
            over = true;
            if (ofTheBounded) {
                bounded--;
            } else {
                beside--;
            }
            last.run();
            told.forEach(Runnable::run);
        }
    }

    SimThreads(World world, Host host, int most) {
        this.world = world;
        this.host = host;
        this.most = most;
    }

    @Override
    public boolean execute(Runnable task) {
        if (bounded >= most) {
            return false;
        }
        bounded++;
        start(task, true);
        return true;
    }

    @Override
    public boolean beside(Runnable task) {
        if (world.temper(host.name()).noThreads) {
            return false;
        }
        beside++;
        mostBeside = Math.max(mostBeside, beside);
        start(task, false);
        return true;
    }

    private void start(Runnable task, boolean ofTheBounded) {
        Running r = new Running(ofTheBounded);
        // what begins a service has to make its object first, perhaps of an archive that is fetched
        boolean fetched = ofTheBounded && world.chance().nextInt(10) == 0;
        host.after(Host.OnThread.SERVICE, world.chance().nextLong(fetched ? SLOWEST_FETCH : SWITCH), () -> {
            current = r;
            try {
                task.run();
            } finally {
                current = null;
            }
            host.after(Host.OnThread.SERVICE, r.takes, r::end);
        });
    }

    /**
     * The code that runs takes so long.
     *
     * @param listens whether an interrupt ends it earlier
     * @param then happens at its end, before anybody is told
     * @return the task that it is in
     */
    Running lasts(long nanos, boolean listens, Runnable then) {
        Running r = current;
        if (r == null) {
            throw new IllegalStateException("no service's code runs");
        }
        r.takes = nanos;
        r.listens = listens;
        r.last = then;
        return r;
    }

    /** How many ran beside the bounded ones at once, at most. */
    int mostBeside() {
        return mostBeside;
    }

    @Override
    public int most() {
        return most;
    }

    @Override
    public void close() {
        // they end with their process
    }

    /** The loop as these threads see it: what they hand over, they hand over at their task's end. */
    Loop view(Loop loop) {
        return new Loop() {
            @Override
            public Clock clock() {
                return loop.clock();
            }

            @Override
            public Chance chance() {
                return loop.chance();
            }

            @Override
            public void execute(Runnable task) {
                Running r = current;
                if (r == null) {
                    loop.execute(task);
                } else {
                    r.told.add(() -> loop.execute(task));
                }
            }

            @Override
            public Cancellable after(long nanos, Runnable task) {
                return loop.after(nanos, task);
            }

            @Override
            public boolean here() {
                return current == null && loop.here();
            }
        };
    }
}
