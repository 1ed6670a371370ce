package io.weir.cluster.sim;

import io.weir.cluster.sim.Host.OnThread;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.timer.Firing;
import io.weir.cluster.timer.TimerRunner;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Listeners of timers on a member: some fail, some take long. Confined to the simulation's thread. */
final class SimTimers implements TimerRunner {
    private final World world;
    private final Host host;
    private final RandomGenerator chance;

    SimTimers(World world, Host host) {
        this.world = world;
        this.host = host;
        this.chance = world.chance();
    }

    @Override
    public void run(TimerSpec timer, Firing firing, Consumer<String> done) {
        host.after(OnThread.SERVICE, chance.nextLong(3 * VirtualTime.MILLI), () -> {
            world.invariants()
                    .listenerCalled(
                            host, firing.id(), firing.scheduled().toEpochMilli(), firing.fence(), firing.requested());
            long slowest = 20 * VirtualTime.MILLI + world.temper(host.name()).slowest / 4;
            String outcome = chance.nextInt(5) == 0 ? "it does not want to" : "";
            host.after(OnThread.SERVICE, chance.nextLong(slowest), () -> done.accept(outcome));
        });
    }
}
