package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.cluster.singleton.Activation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What services say of themselves: when they came and went, one stay for each activation. Two of one service at once are counted
 * in nanoseconds. What is not counted is what docs/cluster.md says may overlap: code of a process that was stopped goes on as what
 * it was until it is deactivated, but its lease has nothing left; and a {@code deactivate} that hangs whoever interrupts it where no process is halted, with
 * a fence that is dead. Confined to the simulation's thread.
 */
final class Stays {
    /** One activation, as its object sees it, in true time. */
    final class Stay {
        private final Host host;
        private final int life;
        private final Activation activation;
        private final Shape shape;
        private boolean returned;
        private long returnedAt;
        private boolean called;
        private boolean deaf;
        private boolean ended;

        private Stay(Host host, Activation activation, Shape shape) {
            this.host = host;
            this.life = host.life();
            this.activation = activation;
            this.shape = shape;
        }

        /** {@code activate} has returned. */
        void returned() {
            returned = true;
            returnedAt = world.time().now();
        }

        /** {@code activate} has failed: nothing of it stays. */
        void failed() {
            ended = true;
            called = true;
        }

        /** {@code deactivate} is called. */
        void called() {
            world.referee().check(!called, "deactivated-twice", this);
            called = true;
        }

        /** Its {@code deactivate} hangs, and no interrupt ends it. */
        void deaf() {
            deaf = true;
        }

        /** {@code deactivate} has returned, or failed. */
        void ended() {
            ended = true;
        }

        private boolean alive() {
            return world.lives(host.name(), life);
        }

        /** The process was stopped since its lease was to be let go: it may not have come to that yet. */
        private boolean wasStopped() {
            long letGo = activation.deadline() - Member.TIMES.grace().toNanos();
            return host.frozen() || host.thawedAt() - letGo > 0;
        }

        private boolean mayHang() {
            return deaf && called && !Member.halts(world.plan()) && !activation.valid();
        }

        @Override
        public String toString() {
            return activation + " (" + shape + ") on " + host.name() + "/" + life
                    + (ended ? " ended" : called ? " called" : returned ? " active" : " activating")
                    + ", remaining " + activation.remaining();
        }
    }

    /** What was cut off while it was activated may return when its process ends: its end is about to be called. */
    private static final long JUST_NOW = 10 * VirtualTime.MILLI;

    private final World world;
    private final Map<String, List<Stay>> open = new HashMap<>();
    private final Map<String, Fence> highest = new HashMap<>();
    private long stays;
    private long deactivations;
    private long excusedStopped;
    private long excusedHanging;
    private long overlaps;

    Stays(World world) {
        this.world = world;
    }

    /** {@code activate} is called: whoever had it is gone. */
    Stay enter(Host host, Activation activation) {
        Stay now = new Stay(host, activation, Shape.of(activation.spec()));
        stays++;
        String service = activation.service();
        Fence last = highest.put(service, activation.fence());
        world.referee()
                .check(
                        last == null || activation.fence().compareTo(last) > 0,
                        "fence-not-higher",
                        now + " after " + last);
        List<Stay> others = open.computeIfAbsent(service, s -> new ArrayList<>());
        others.removeIf(o -> o.ended || !o.alive());
        others.forEach(o -> beside(o, now));
        others.add(now);
        return now;
    }

    private void beside(Stay former, Stay now) {
        world.referee().check(former.activation.remaining() <= 0, "two-with-time-left", now + " beside " + former);
        if (former.wasStopped()) {
            excusedStopped++;
        } else if (former.mayHang()) {
            excusedHanging++;
        } else {
            overlaps++;
            world.referee().check(false, "two-at-once", now + " beside " + former);
        }
    }

    /** What was called is counted. */
    void deactivated() {
        deactivations++;
    }

    /** A process has ended by itself: whatever was active in it was deactivated. */
    void left(String host, int life) {
        open.values()
                .forEach(of -> of.stream()
                        .filter(s -> s.host.name().equals(host) && s.life == life)
                        .filter(s -> s.returned && world.time().now() - s.returnedAt > JUST_NOW)
                        // what can never be called ends with its process
                        .filter(_ -> !world.temper(host).noThreads)
                        .forEach(s -> world.referee().check(s.called, "never-deactivated", s + " at its end")));
    }

    /** All is well: nothing of a process that lives was forgotten. */
    void allToldBut(String service, @Nullable Fence active) {
        open.getOrDefault(service, List.of()).stream()
                .filter(s -> s.alive() && !s.activation.fence().equals(active))
                .forEach(s -> world.referee().check(s.called, "never-deactivated", s));
    }

    String told() {
        return stays + " activations, " + deactivations + " deactivations, overlap " + overlaps + ", " + excusedStopped
                + " of stopped processes, " + excusedHanging + " that hung";
    }

    long stays() {
        return stays;
    }
}
