package io.weir.cluster.sim;

import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * While the faults go on: when the same majority has been healthy for a while, whatever befalls the others, every service
 * that may run there is active somewhere. Confined to the simulation's thread.
 */
final class Availability {
    private static final long LOOK = 500 * VirtualTime.MILLI;
    /** A change of leader, a lease and its margin by a slow clock, a member that does not take what is placed on it. */
    private static final long BOUND = 25 * VirtualTime.SECOND;

    private final World world;
    private final Map<String, Long> lastActive = new HashMap<>();
    private Set<String> healthy = Set.of();
    private long since;

    Availability(World world) {
        this.world = world;
    }

    void watch() {
        if (world.plan().sane()) {
            world.time().after(LOOK, this::look);
        }
    }

    private void look() {
        world.time().after(LOOK, this::look);
        long now = world.time().now();
        Set<String> healthyNow = healthy();
        if (!healthyNow.equals(healthy)) {
            healthy = healthyNow;
            since = now;
        }
        ClusterState state = world.state();
        world.plan().singletons().stream()
                .filter(s -> state.singleton(s.name()) == null)
                .forEach(undefined -> lastActive.put(undefined.name(), now));
        for (SingletonState s : state.singletons().values()) {
            if (fine(s)) {
                lastActive.put(s.name(), now);
            } else {
                long gone = now - Math.max(since, lastActive.getOrDefault(s.name(), 0L));
                world.referee()
                        .check(
                                gone < BOUND,
                                "not-available",
                                s + " for " + gone / VirtualTime.MILLI + " ms: " + healthy);
            }
        }
    }

    /** Active in truth, or not to be expected to be. */
    private boolean fine(SingletonState s) {
        boolean waits = s.phase() == Phase.PAUSED || s.phase() == Phase.FAILED || s.phase() == Phase.WAITING;
        boolean somewhere = healthy.stream().anyMatch(m -> s.spec().mayRunOn(m));
        return waits
                || !somewhere
                || !world.invariants().activeOn(s.name(), s.fence()).isEmpty();
    }

    /** Members with nothing the matter that hear each other, when they are a majority; else nobody. */
    private Set<String> healthy() {
        if (world.database().isDown()
                || world.nastiness().any()
                || world.network().slow()) {
            return Set.of();
        }
        List<String> well = world.members().stream()
                .filter(m -> m.runs() && !m.slowed() && !m.leaving())
                .map(Member::name)
                .filter(m -> !world.temper(m).bad() && world.consensus().replica(m).slowness == 0)
                .toList();
        Set<String> together = new TreeSet<>(well);
        together.removeIf(m -> well.stream().anyMatch(o -> !world.network().both(m, o)));
        return 2 * together.size() > world.plan().members().size() ? together : Set.of();
    }
}
