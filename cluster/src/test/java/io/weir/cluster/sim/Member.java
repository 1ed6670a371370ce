package io.weir.cluster.sim;

import io.weir.base.Log;
import io.weir.base.LogMessage;
import io.weir.base.Stats;
import io.weir.cluster.jdbc.RecordedLeases;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.singleton.SingletonTimes;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.timer.ClusterTimers;
import io.weir.cluster.timer.TimerEngine;
import io.weir.cluster.timer.TimerParts;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A member: a machine, and the real code of one process after the other on it. Confined to the simulation's thread. */
final class Member {
    static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofSeconds(9));
    static final Duration BOOT_DELAY = Duration.ofSeconds(5);
    private static final Duration TAKE = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final SingletonTimes SINGLETONS =
            new SingletonTimes(Duration.ofSeconds(12), Duration.ofSeconds(4), 2, true);
    private static final SingletonTimes SHAPED =
            new SingletonTimes(Duration.ofSeconds(12), Duration.ofSeconds(4), 4, false);
    private static final SingletonTimes SHAPED_HALTING =
            new SingletonTimes(Duration.ofSeconds(12), Duration.ofSeconds(4), 4, true);
    private static final int THREADS = 16;

    private final World world;
    private final Host host;
    private int disks = 1;
    private @Nullable Server process;
    private int leavingLife;

    /** What runs from one start to the next. */
    private final class Server {
        final SimLoop loop = new SimLoop(host, world.split());
        final ClusterNode node = new ClusterNode(
                settings(), world.chance().nextLong(), loop, world.mutation(), new Stats(), new SimLog());
        final TimerEngine timers = new TimerEngine(new TimerParts(
                loop,
                node::now,
                node::proposer,
                fence -> node.guard().admits("fire", Leases.TIMERS, fence),
                new SimTimers(world, host),
                new Stats(),
                new SimLog()));
        final ModelLog consensus;

        Server() {
            node.holder().listen(timers);
            consensus = world.consensus().open(host, world.truth().behind(node.holder()));
        }

        void start() {
            Activations services = world.plan().shaped()
                    ? new ShapedServices(world, host, loop, node, THREADS, new SimLog())
                    : new SimServices(world, host, loop, node, timers);
            node.start(new NodeParts(consensus, leases(), services, Member.this::halt));
            var _ = node.define(configured());
            for (int i = 0; i < world.plan().timers().size(); i++) {
                define(i);
            }
        }

        private NodeParts.@Nullable Leases leases() {
            return world.plan().rows()
                    ? (self, proposer) ->
                            new RecordedLeases(new ModelRows(world, host, loop, self), proposer, node::now)
                    : Eager.unless(world.mutation(), node);
        }

        private void define(int timer) {
            List<Misfire> policies = List.of(Misfire.values());
            Misfire misfire = policies.get(timer % policies.size());
            String every = "every " + world.plan().timers().get(timer) + "s";
            var _ = new ClusterTimers(node::now, node.proposer(), loop.clock())
                    .define(new TimerSpec("t" + timer, every, "UTC", misfire, "sim"), "configuration")
                    .whenComplete((answer, fault) -> {
                        if (fault != null) {
                            loop.after(VirtualTime.SECOND, () -> define(timer));
                        }
                    });
        }
    }

    /** The server's log in the simulation's log. */
    private final class SimLog implements Log {
        @Override
        public boolean wants(LogMessage message) {
            return true;
        }

        @Override
        public void log(LogMessage message, Object... arguments) {
            world.log().add(host.name(), new EventLog.Said(message, arguments));
            for (Object a : arguments) {
                boolean bug =
                        (a instanceof RuntimeException && !(a instanceof SimServices.Unwilling)) || a instanceof Error;
                if (bug) {
                    world.referee().note("exception", (Throwable) a);
                }
            }
        }
    }

    Member(World world, Host host) {
        this.world = world;
        this.host = host;
    }

    private NodeSettings settings() {
        int members = world.plan().members().size();
        LeaderSettings leader = new LeaderSettings(
                TIMES, TAKE, BOOT_DELAY, members, world.plan().rows());
        String storage = name() + "-" + disks;
        return new NodeSettings("sim", name(), storage, name() + ":1", false, TIMES, services(), leader);
    }

    private SingletonTimes services() {
        if (!world.plan().shaped()) {
            return SINGLETONS;
        }
        return halts(world.plan()) ? SHAPED_HALTING : SHAPED;
    }

    /** Whether a process is halted where a service does not let go. */
    static boolean halts(Plan plan) {
        return !plan.shaped() || plan.seed() % 2 == 1;
    }

    private List<SingletonSpec> configured() {
        return world.plan().singletons().stream()
                .filter(s -> s.deployment() == null)
                .toList();
    }

    String name() {
        return host.name();
    }

    Host host() {
        return host;
    }

    void boot() {
        if (!host.up()) {
            host.boot();
            world.log().add(name(), "boots");
            Server p = new Server();
            process = p;
            p.start();
        }
    }

    void kill() {
        if (host.up()) {
            world.log().add(name(), "dies");
            host.kill();
            world.consensus().died(name());
            world.truth().died(name());
            process = null;
        }
    }

    /** Its disk is lost. */
    void wipe() {
        kill();
        world.consensus().wipe(name());
        disks++;
    }

    private void halt() {
        world.log().add(name(), "halts");
        kill();
        world.time().after(2 * VirtualTime.SECOND, this::boot);
    }

    /** Shuts down in order; a supervisor kills what does not end. */
    void leave() {
        Server p = process;
        if (p == null) {
            return;
        }
        int life = host.life();
        leavingLife = life;
        world.log().add(name(), "shuts down");
        var _ = p.node.leave(PATIENCE)
                .whenComplete((done, fault) -> host.after(VirtualTime.MILLI, () -> {
                    world.stays().left(name(), life);
                    p.node.close();
                    p.consensus.close();
                    host.after(10 * VirtualTime.MILLI, this::kill);
                }));
        world.time().after(2 * PATIENCE.toNanos(), () -> {
            if (host.life() == life) {
                kill();
            }
        });
    }

    boolean slowed() {
        Server p = process;
        return p != null && p.loop.isSluggish();
    }

    boolean leaving() {
        return host.up() && host.life() == leavingLife;
    }

    void sluggish(long nanos) {
        Server p = process;
        if (p != null) {
            p.loop.sluggish(nanos);
        }
    }

    /** The state as applied here; the empty one while no process is. */
    ClusterState state() {
        Server p = process;
        return p == null ? ClusterState.EMPTY : p.node.now();
    }

    /** Whether an operator can ask it something. */
    boolean runs() {
        return host.runs() && process != null;
    }

    Proposer proposer() {
        return Objects.requireNonNull(process).node.proposer();
    }

    List<Held> held() {
        Server p = process;
        return p == null ? List.of() : p.node.held();
    }
}
