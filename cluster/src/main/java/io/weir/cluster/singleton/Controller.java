package io.weir.cluster.singleton;

import io.weir.cluster.log.Cancellable;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.SingletonChanged;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The member's side of singleton services: executes on this member what the cluster's state requires. Confined to the
 * member's loop but for {@link #here()}; lives as long as the member.
 */
public final class Controller implements StateListener {
    private final SingletonParts around;
    private final ActivationTurns turns;
    private final Duration check;
    private final Map<String, SingletonLife> lives = new ConcurrentSkipListMap<>();
    private @Nullable Cancellable tick;

    /**
     * Creates the controller of one member.
     *
     * @param check retry interval of unanswered requests
     */
    public Controller(SingletonParts around, Duration check) {
        this.around = around;
        this.turns = new ActivationTurns(around.times().atOnce());
        this.check = check;
        around.stats().gauge(ClusterStats.ACTIVE, this::active);
        around.stats().gauge(ClusterStats.ACTIVATIONS_WAITING, turns::waiting);
    }

    public void start() {
        tick = around.loop().after(check.toNanos(), this::tick);
        restored(around.state().get());
    }

    /** Stops reacting to the state. */
    public void stop() {
        Cancellable waiting = tick;
        tick = null;
        if (waiting != null) {
            waiting.cancel();
        }
    }

    private void tick() {
        if (tick != null) {
            tick = around.loop().after(check.toNanos(), this::tick);
            restored(around.state().get());
        }
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        if (tick == null || events.isEmpty()) {
            return;
        }
        Set<String> touched = new TreeSet<>();
        events.forEach(e -> touched(e, touched));
        ClusterState now = around.state().get();
        touched.forEach(name -> life(name).step(now));
    }

    private static void touched(Event event, Set<String> names) {
        String name = switch (event) {
            case SingletonChanged s -> s.name();
            case LeaseEvent.Acquired l -> Leases.singleton(l.lease().name());
            case LeaseEvent.Ended l -> Leases.singleton(l.lease());
            default -> null;
        };
        if (name != null) {
            names.add(name);
        }
    }

    @Override
    public void restored(ClusterState now) {
        if (tick == null) {
            return;
        }
        now.singletons().keySet().forEach(this::life);
        lives.values().forEach(l -> l.step(now));
        lives.entrySet().removeIf(e -> e.getValue().stage() == SingletonStage.ABSENT && forgettable(e.getKey(), now));
    }

    private static boolean forgettable(String singleton, ClusterState now) {
        return now.singleton(singleton) == null && now.owner(Leases.ofSingleton(singleton)) == null;
    }

    private SingletonLife life(String name) {
        return lives.computeIfAbsent(name, n -> new SingletonLife(n, around, turns));
    }

    /** Whether no singleton is active, starting or stopping on this member, except isolated ones. */
    public boolean quiet() {
        return lives.values().stream()
                .allMatch(l -> l.stage() == SingletonStage.ABSENT || l.stage() == SingletonStage.ISOLATED);
    }

    /** Whether no service code runs on this member, except isolated code; leases may still be being released. */
    public boolean still() {
        return lives.values().stream().noneMatch(l -> l.stage().runs());
    }

    /** Deactivates all active singletons independently of the state, because the cluster does not answer. */
    public void deactivateAll(String reason) {
        lives.values().forEach(l -> l.deactivateNow(reason));
    }

    /** All singletons known to this member. From any thread. */
    public List<Here> here() {
        return lives.values().stream().map(SingletonLife::here).toList();
    }

    private long active() {
        return lives.values().stream()
                .filter(l -> l.here().stage() == SingletonStage.ACTIVE)
                .count();
    }
}
