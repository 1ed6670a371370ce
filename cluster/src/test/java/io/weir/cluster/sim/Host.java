package io.weir.cluster.sim;

import io.weir.base.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine: its clock, which is too fast or too slow, and the process on it, which is killed and started again, or stopped
 * for a while with all that it has to do kept. Confined to the simulation's thread.
 */
final class Host {
    private static final long FIRST_MILLIS = 1_700_000_000_000L;

    private final String name;
    private final VirtualTime time;
    private final double rate;
    private final long origin;
    private final List<Runnable> kept = new ArrayList<>();
    private long wallJump;
    private int life;
    private boolean up;
    private boolean frozen;

    /** @param rate seconds of its clock in a true second */
    Host(String name, VirtualTime time, double rate, long origin) {
        this.name = name;
        this.time = time;
        this.rate = rate;
        this.origin = origin;
    }

    String name() {
        return name;
    }

    VirtualTime time() {
        return time;
    }

    /** The number of its process's life. */
    int life() {
        return life;
    }

    boolean up() {
        return up;
    }

    boolean frozen() {
        return frozen;
    }

    /** Whether its process does anything at this moment. */
    boolean runs() {
        return up && !frozen;
    }

    void boot() {
        life++;
        up = true;
        frozen = false;
    }

    void kill() {
        up = false;
        frozen = false;
        kept.clear();
    }

    void freeze() {
        frozen = up;
    }

    /** What was kept happens now, in its order, before anything else of this machine. */
    void thaw() {
        frozen = false;
        List<Runnable> waiting = List.copyOf(kept);
        kept.clear();
        int in = life;
        waiting.forEach(task -> time.at(time.now(), () -> in(in, task)));
    }

    void jumpWallClock(long millis) {
        wallJump += millis;
    }

    /** Lets a task happen in that life of its process: never, when that is over; later, while it is stopped. */
    void in(int lifeOfTask, Runnable task) {
        if (!up || life != lifeOfTask) {
            return;
        }
        if (frozen) {
            kept.add(task);
        } else {
            task.run();
        }
    }

    /** In this life, after a true time. */
    void after(long nanos, Runnable task) {
        int in = life;
        time.after(nanos, () -> in(in, task));
    }

    /** In this life, after a time by its own clock: never earlier by that clock. */
    void afterLocal(long nanos, Runnable task) {
        after((long) Math.ceil(nanos / rate) + 1, task);
    }

    Clock clock() {
        return new Clock() {
            @Override
            public long nanos() {
                return origin + (long) (time.now() * rate);
            }

            @Override
            public long millis() {
                return FIRST_MILLIS + (long) (time.now() * rate) / VirtualTime.MILLI + wallJump;
            }
        };
    }
}
