package io.weir.cluster.sim;

import io.weir.base.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

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
    private final List<Kept> kept = new ArrayList<>();
    private final RandomGenerator chance;
    private long wallJump;
    private int life;
    private boolean up;
    private boolean frozen;
    private long thawedAt;

    /** Threads of a process: each does its tasks in order, and nobody knows which goes on first after a stop. */
    enum OnThread {
        LOOP,
        LOG,
        SERVICE
    }

    private record Kept(OnThread on, Runnable task) {}

    /** @param rate seconds of its clock in a true second */
    Host(String name, VirtualTime time, double rate, long origin, RandomGenerator chance) {
        this.chance = chance;
        this.name = name;
        this.time = time;
        this.rate = rate;
        this.origin = origin;
        this.thawedAt = origin;
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

    /** When it went on last after a stop, by its own clock; its beginning when it never stopped. */
    long thawedAt() {
        return thawedAt;
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

    /** What was kept happens now, before anything else of this machine; one thread's after another's. */
    void thaw() {
        if (frozen) {
            thawedAt = clock().nanos();
        }
        frozen = false;
        List<Kept> waiting = List.copyOf(kept);
        kept.clear();
        int in = life;
        List<OnThread> order = new ArrayList<>(List.of(OnThread.values()));
        while (!order.isEmpty()) {
            OnThread on = order.remove(chance.nextInt(order.size()));
            waiting.stream().filter(k -> k.on() == on).forEach(k -> time.at(time.now(), () -> in(in, on, k.task())));
        }
    }

    void jumpWallClock(long millis) {
        wallJump += millis;
    }

    /** Lets a task happen in that life of its process: never, when that is over; later, while it is stopped. */
    void in(int lifeOfTask, OnThread on, Runnable task) {
        if (!up || life != lifeOfTask) {
            return;
        }
        if (frozen) {
            kept.add(new Kept(on, task));
        } else {
            task.run();
        }
    }

    /** In this life, after a true time. */
    void after(OnThread on, long nanos, Runnable task) {
        int in = life;
        time.after(nanos, () -> in(in, on, task));
    }

    /** On the log's thread. */
    void after(long nanos, Runnable task) {
        after(OnThread.LOG, nanos, task);
    }

    /** In this life, after a time by its own clock: never earlier by that clock. */
    void afterLocal(OnThread on, long nanos, Runnable task) {
        after(on, (long) Math.ceil(nanos / rate) + 1, task);
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
