package io.weir.cluster.sim;

import io.weir.cluster.log.Loop;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.timer.TimerEngine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Services' code on a member, as badly behaved as its {@link Temper} says: it fails, hangs, returns late, and while active
 * it binds its name, increments a counter outside and appends to a journal. Confined to the simulation's thread; lives as
 * long as the member's process.
 */
final class SimServices implements Activations {
    private static final long WORK = 300 * VirtualTime.MILLI;

    /** How services on one member behave now. */
    static final class Temper {
        boolean fails;
        boolean hangs;
        boolean hangsOnDeactivate;
        boolean noThreads;
        long slowest;

        boolean bad() {
            return fails || hangs || hangsOnDeactivate || noThreads || slowest > 0;
        }
    }

    /** What a service throws. */
    static final class Unwilling extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unwilling() {
            super("it does not want to", null, false, false);
        }
    }

    /** One object of a service. */
    private static final class Instance {
        final Activation activation;
        boolean ended;
        boolean writing;

        Instance(Activation activation) {
            this.activation = activation;
        }
    }

    private final World world;
    private final Host host;
    private final Loop loop;
    private final RandomGenerator chance;
    private final Temper temper;
    private final boolean careless;
    private final Vault vault;
    private final Network network;
    private final ClusterNode node;
    private final TimerEngine timers;
    private final Invariants invariants;
    private final Referee referee;
    private final Ambushes ambushes;
    private final Map<Activation, Instance> instances = new HashMap<>();

    SimServices(World world, Host host, Loop loop, ClusterNode node, TimerEngine timers) {
        this.world = world;
        this.host = host;
        this.loop = loop;
        this.chance = world.chance();
        this.temper = world.temper(host.name());
        this.careless = world.plan().careless();
        this.vault = world.vault();
        this.network = world.network();
        this.invariants = world.invariants();
        this.node = node;
        this.timers = timers;
        this.referee = world.referee();
        this.ambushes = world.ambushes();
    }

    @Override
    public CompletableFuture<Void> activate(Activation activation) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Instance i = new Instance(activation);
        instances.put(activation, i);
        invariants.activateCalled(host, activation);
        ambushes.at(host.name(), Ambushes.Moment.ACTIVATE_CALLED, "");
        if (chance.nextInt(3) != 0) {
            bind(activation);
        }
        long takes = chance.nextLong(30 * VirtualTime.MILLI);
        long slow = temper.slowest == 0 ? 0 : chance.nextLong(temper.slowest);
        host.after(
                Host.OnThread.SERVICE,
                takes + slow,
                () -> whileHanging(() -> temper.hangs, () -> activateEnds(i, done)));
        return done;
    }

    private void activateEnds(Instance i, CompletableFuture<Void> done) {
        boolean failed = temper.fails || (temper.hangs && chance.nextBoolean());
        if (failed) {
            i.ended = true;
            instances.remove(i.activation);
            invariants.activateFailed(host, i.activation);
            loop.execute(() -> done.completeExceptionally(new Unwilling()));
        } else {
            if (i.activation.service().equals(Leases.TIMERS_SERVICE)) {
                loop.execute(() -> timers.begin(i.activation.fence()));
            }
            invariants.activateReturned(host, i.activation);
            ambushes.at(host.name(), Ambushes.Moment.ACTIVATE_RETURNED, "");
            host.after(Host.OnThread.SERVICE, chance.nextLong(WORK), () -> work(i));
            loop.execute(() -> done.complete(nothing()));
        }
    }

    @Override
    public CompletableFuture<Void> deactivate(Activation activation) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Instance i = instances.get(activation);
        referee.check(i != null, "deactivated-twice", activation + " on " + host.name());
        Objects.requireNonNull(i).ended = true;
        instances.remove(activation);
        invariants.deactivateCalled(host, activation);
        ambushes.at(host.name(), Ambushes.Moment.DEACTIVATE_CALLED, "");
        if (chance.nextBoolean()) {
            unbind(activation);
        }
        deactivateOnThread(
                activation,
                () -> whileHanging(() -> temper.hangsOnDeactivate, () -> {
                    invariants.deactivateReturned(host, activation);
                    loop.execute(() -> done.complete(nothing()));
                }));
        return done;
    }

    /** The timers' service waits for its listeners, as the real one does. */
    private void deactivateOnThread(Activation activation, Runnable then) {
        long takes = chance.nextLong(20 * VirtualTime.MILLI);
        if (activation.service().equals(Leases.TIMERS_SERVICE)) {
            loop.execute(() -> timers.end(() -> host.after(Host.OnThread.SERVICE, takes, then)));
        } else {
            host.after(Host.OnThread.SERVICE, takes, then);
        }
    }

    @Override
    public void interrupt(Activation activation) {
        // what hangs here does not listen
    }

    private void whileHanging(java.util.function.BooleanSupplier hangs, Runnable then) {
        if (hangs.getAsBoolean()) {
            host.after(Host.OnThread.SERVICE, 200 * VirtualTime.MILLI, () -> whileHanging(hangs, then));
        } else {
            then.run();
        }
    }

    private void bind(Activation a) {
        BindingValue value =
                new BindingValue.Remote(a.service(), List.of(new BindingValue.Interface("sim.Service", 1)));
        boolean again = chance.nextBoolean();
        String path = "services/" + a.service();
        host.after(Host.OnThread.SERVICE, chance.nextLong(5 * VirtualTime.MILLI), () -> {
            if (again) {
                var _ = node.proposer().propose(new NamingCommand.Rebind(path, a.lease(), a.fence(), value));
            } else {
                var _ = node.proposer().propose(new NamingCommand.Bind(path, a.lease(), a.fence(), value));
            }
        });
    }

    private void unbind(Activation a) {
        var _ = node.proposer().propose(new NamingCommand.Unbind("services/" + a.service(), a.lease(), a.fence()));
    }

    /** What a service does all day: nothing without a valid lease, if it is careful. */
    private void work(Instance i) {
        if (i.ended) {
            return;
        }
        ambushes.at(host.name(), Ambushes.Moment.WORK, "");
        if (!host.runs()) {
            host.after(Host.OnThread.SERVICE, 0, () -> work(i));
            return;
        }
        host.after(Host.OnThread.SERVICE, WORK / 2 + chance.nextLong(WORK), () -> work(i));
        Activation a = i.activation;
        if ((a.valid() || careless) && node.guard().admits("journal", a.lease(), a.fence())) {
            invariants.sideEffect(host, a);
            if (world.plan().sane()) {
                vault.append(a.service(), a.fence());
            }
        }
        if (!i.writing && (a.valid() || careless)) {
            i.writing = true;
            host.after(Host.OnThread.SERVICE, network.delay(), () -> increment(i));
        }
        if (chance.nextInt(20) == 0 && (a.valid() || careless)) {
            bind(a);
        }
        if (chance.nextInt(20) == 0 && (a.valid() || careless)) {
            var _ = node.proposer()
                    .propose(new CheckpointCommand.Put(a.service(), "work", "by " + a.fence(), a.fence()));
        }
    }

    private void increment(Instance i) {
        Activation a = i.activation;
        long value = vault.read(a.service(), a.fence());
        if (value < 0 || (!a.valid() && !careless)) {
            i.writing = false;
            return;
        }
        host.after(Host.OnThread.SERVICE, 2 * network.delay(), () -> {
            vault.write(a.service(), a.fence(), value + 1);
            i.writing = false;
        });
    }

    // a future of Void is completed with nothing, which only the compiler minds
    @SuppressWarnings("NullAway")
    private static Void nothing() {
        return null;
    }
}
