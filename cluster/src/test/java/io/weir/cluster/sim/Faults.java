package io.weir.cluster.sim;

import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes faults happen, and ends them. Confined to the simulation's thread. */
final class Faults {
    private final World world;
    private final VirtualTime time;
    private final Network network;
    private final BiConsumer<String, Command> operator;
    private long versions;

    /** @param operator asks a member for something */
    Faults(World world, BiConsumer<String, Command> operator) {
        this.world = world;
        this.time = world.time();
        this.network = world.network();
        this.operator = operator;
    }

    void schedule(Fault f) {
        time.at(f.from() * VirtualTime.MILLI, () -> {
            Fault aimed = f.who().equals(Fault.HOLDER) ? f.on(holder()) : f;
            world.log().add("FAULT", aimed);
            begin(aimed);
            if (f.until() > f.from()) {
                time.at(f.until() * VirtualTime.MILLI, () -> {
                    world.log().add("FAULT", "over: " + aimed);
                    end(aimed);
                });
            }
        });
    }

    /** Somebody who holds a singleton's lease, in truth; anybody where nobody does. */
    private String holder() {
        List<String> holders = world.state().leases().values().stream()
                .filter(l -> !l.free() && l.name().startsWith("singleton/"))
                .map(l -> "" + l.owner())
                .toList();
        List<String> of = holders.isEmpty() ? world.plan().members() : holders;
        return of.get(world.chance().nextInt(of.size()));
    }

    private void begin(Fault f) {
        Member m = world.member(f.who());
        switch (f.kind()) {
            case BLACKOUT -> world.members().forEach(Member::kill);
            case DATABASE_DOWN -> world.database().down(true);
            case CRASH -> m.kill();
            case WIPE -> m.wipe();
            case RESTART -> m.leave();
            case FREEZE -> m.host().freeze();
            case CUT_OFF -> cutOff(f);
            case DEAF -> others(f).forEach(o -> network.cut(o, f.who()));
            case MUTE -> others(f).forEach(o -> network.cut(f.who(), o));
            case SPLIT -> network.isolate(f.who(), List.of(f.other()));
            case SLOW_NETWORK -> network.slow(f.dose() * VirtualTime.MILLI);
            case SLOW_APPLY -> world.consensus().replica(f.who()).slowness = f.dose() * VirtualTime.MILLI;
            case SLUGGISH -> m.sluggish(f.dose() * VirtualTime.MILLI);
            case NASTY_LOG -> world.nastiness().set((int) f.dose());
            case ELECTION -> world.consensus().elect(world.consensus().leader());
            case WALL_JUMP -> m.host().jumpWallClock(f.dose());
            case ACTIVATION_FAILS -> world.temper(f.who()).fails = true;
            case ACTIVATION_HANGS -> world.temper(f.who()).hangs = true;
            case ACTIVATION_SLOW -> world.temper(f.who()).slowest = f.dose() * VirtualTime.MILLI;
            case DEACTIVATION_HANGS -> world.temper(f.who()).hangsOnDeactivate = true;
            case AMBUSH_FREEZE -> ambush(f, m.host()::freeze, () -> wake(f, m));
            case AMBUSH_CRASH -> ambush(f, m::kill, () -> bootAgain(m));
            case AMBUSH_CUT -> ambush(f, () -> cutOff(f), () -> heal(f));
            case AMBUSH_OPERATOR -> layOperator(f, 1 + (int) (f.dose() % 5));
            case MIGRATE -> migrate(f, f.who(), f.dose());
            case PAUSE -> operator.accept(f.who(), new SingletonCommand.Pause(f.other(), "asked for"));
            case REDEPLOY -> redeploy(f, f.dose());
            case UNDEPLOY -> {
                if (spec(f).deployment() != null) {
                    operator.accept(f.who(), new DeploymentCommand.Undeploy("" + spec(f).deployment()));
                }
            }
            case REMOVE -> operator.accept("", new MemberCommand.Remove(f.who()));
            case RAISE_EPOCH -> raiseEpoch(f);
            case FIRE_NOW -> operator.accept(f.who(), Run.fireNow("t0", f.from()));
            case NO_THREADS -> world.temper(f.who()).noThreads = true;
            case FREEZE_OTHERS -> others(f).forEach(o -> world.member(o).host().freeze());
        }
    }

    private void end(Fault f) {
        Member m = world.member(f.who());
        switch (f.kind()) {
            case BLACKOUT ->
                world.members()
                        .forEach(each -> time.after(
                                world.chance().nextLong(f.dose() * VirtualTime.MILLI), () -> bootAgain(each)));
            case DATABASE_DOWN -> world.database().down(false);
            case CRASH, WIPE, RESTART -> bootAgain(m);
            case FREEZE -> m.host().thaw();
            case CUT_OFF, DEAF, MUTE -> heal(f);
            case SPLIT -> {
                network.heal(f.who(), f.other());
                network.heal(f.other(), f.who());
            }
            case SLOW_NETWORK -> network.slow(0);
            case SLOW_APPLY -> world.consensus().replica(f.who()).slowness = 0;
            case SLUGGISH -> m.sluggish(0);
            case NASTY_LOG -> world.nastiness().none();
            case ACTIVATION_FAILS -> world.temper(f.who()).fails = false;
            case ACTIVATION_HANGS -> world.temper(f.who()).hangs = false;
            case ACTIVATION_SLOW -> world.temper(f.who()).slowest = 0;
            case DEACTIVATION_HANGS -> world.temper(f.who()).hangsOnDeactivate = false;
            case NO_THREADS -> world.temper(f.who()).noThreads = false;
            case FREEZE_OTHERS -> others(f).forEach(o -> world.member(o).host().thaw());
            case UNDEPLOY -> redeploy(f, 1);
            case PAUSE -> operator.accept(f.who(), new SingletonCommand.Resume(f.other(), "asked for"));
            case ELECTION,
                    WALL_JUMP,
                    MIGRATE,
                    REDEPLOY,
                    REMOVE,
                    RAISE_EPOCH,
                    FIRE_NOW,
                    AMBUSH_FREEZE,
                    AMBUSH_CRASH,
                    AMBUSH_CUT,
                    AMBUSH_OPERATOR -> {
                // happened at once
            }
        }
    }

    /** Every other one is cut off just when it goes on: what it heard last must not carry it far. */
    private void wake(Fault f, Member m) {
        if (f.dose() % 2 == 1) {
            cutOff(f);
            time.after(12 * VirtualTime.SECOND, () -> heal(f));
        }
        m.host().thaw();
    }

    private void cutOff(Fault f) {
        network.isolate(f.who(), world.plan().members());
    }

    private void heal(Fault f) {
        others(f).forEach(o -> {
            network.heal(f.who(), o);
            network.heal(o, f.who());
        });
    }

    private void ambush(Fault f, Runnable strike, Runnable relief) {
        lay(f.who(), f, _ -> {
            strike.run();
            time.after(f.dose() * VirtualTime.MILLI, relief);
        });
    }

    private void lay(String who, Fault f, Consumer<String> strike) {
        String[] moment = f.other().split(" ", -1);
        world.ambushes().lay(who, Ambushes.Moment.valueOf(moment[0]), moment[1], at -> {
            world.log().add("FAULT", "struck " + at + ": " + f);
            strike.accept(at);
        });
    }

    /** As long as the fault lasts, so many times. */
    private void layOperator(Fault f, int times) {
        lay("", f, at -> {
            boolean lasts = time.now() < f.until() * VirtualTime.MILLI;
            int left = meddle(f, at) ? times - 1 : times;
            if (lasts && left > 0) {
                time.after(VirtualTime.MILLI, () -> layOperator(f, left));
            }
        });
    }

    /** An operator changes his mind about what this member has just begun. */
    private boolean meddle(Fault f, String at) {
        List<SingletonState> busy = world.state().singletons().values().stream()
                .filter(s -> at.equals(s.member()) && s.phase() != Phase.ACTIVE)
                .toList();
        if (busy.isEmpty()) {
            return false;
        }
        SingletonSpec spec = busy.get(world.chance().nextInt(busy.size())).spec();
        Fault of = new Fault(f.from(), f.from(), f.kind(), f.who(), spec.name(), f.dose());
        switch ((int) (f.dose() % 3)) {
            case 0 -> migrate(of, f.who(), 1);
            case 1 -> redeploy(of, 1);
            default -> {
                operator.accept("", new SingletonCommand.Pause(spec.name(), "asked for"));
                time.after(
                        f.dose() * VirtualTime.MILLI,
                        () -> operator.accept("", new SingletonCommand.Resume(spec.name(), "asked for")));
            }
        }
        return true;
    }

    /** What still shuts down is waited for, as a supervisor does. */
    private void bootAgain(Member m) {
        if (m.leaving()) {
            time.after(500 * VirtualTime.MILLI, () -> bootAgain(m));
        } else {
            m.boot();
        }
    }

    private void redeploy(Fault f, long times) {
        SingletonSpec spec = spec(f);
        if (spec.deployment() != null && times > 0) {
            operator.accept(f.who(), Run.deployment(world.plan(), spec, ++versions));
            time.after(world.chance().nextLong(VirtualTime.SECOND), () -> redeploy(f, times - 1));
        }
    }

    /** A database's epoch is raised in its configuration, with everybody stopped. */
    private void raiseEpoch(Fault f) {
        if (!world.plan().rows()) {
            all(name -> new SingletonCommand.Pause(name, "the epoch rises"));
            raiseEpoch(f, world.state().epoch() + 1, 20);
        }
    }

    /** Refused while a service's lease is held: asked again, until all have let go or the operator has no patience left. */
    private void raiseEpoch(Fault f, long to, int times) {
        if (world.state().epoch() < to && times > 0) {
            operator.accept(f.who(), new MemberCommand.RaiseEpoch(to));
            time.after(world.chance().nextLong(500 * VirtualTime.MILLI), () -> raiseEpoch(f, to, times - 1));
        } else {
            all(name -> new SingletonCommand.Resume(name, "the epoch rose"));
        }
    }

    private void all(Function<String, Command> asked) {
        world.plan().singletons().forEach(s -> operator.accept("", asked.apply(s.name())));
    }

    private void migrate(Fault f, String to, long times) {
        operator.accept("", new SingletonCommand.Migrate(f.other(), to, "asked for"));
        if (times > 1) {
            List<String> all = world.plan().members();
            String next = all.get(world.chance().nextInt(all.size()));
            time.after(world.chance().nextLong(2 * VirtualTime.SECOND), () -> migrate(f, next, times - 1));
        }
    }

    private SingletonSpec spec(Fault f) {
        return world.plan().singletons().stream()
                .filter(s -> s.name().equals(f.other()))
                .findFirst()
                .orElseThrow();
    }

    private List<String> others(Fault f) {
        return world.plan().members().stream().filter(o -> !o.equals(f.who())).toList();
    }

    /** Everything is as it should be from here on. */
    void over() {
        network.healAll();
        world.ambushes().clear();
        world.nastiness().none();
        world.database().down(false);
        world.consensus().replicas().forEach(r -> r.slowness = 0);
        for (Member m : world.members()) {
            SimServices.Temper t = world.temper(m.name());
            t.fails = false;
            t.hangs = false;
            t.hangsOnDeactivate = false;
            t.noThreads = false;
            t.slowest = 0;
            m.sluggish(0);
            m.host().thaw();
            bootAgain(m);
        }
    }
}
