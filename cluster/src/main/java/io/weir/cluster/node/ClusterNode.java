package io.weir.cluster.node;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.lease.FenceGuard;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.ActiveServices;
import io.weir.cluster.singleton.Here;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A member of the cluster, above the log. It has no thread of its own, so that the same object runs in a server and in
 * the simulation. Created first; then the log is opened with its {@link #holder()}; then it is started on that log.
 * Accessors may be called by any thread; its parts are confined to the loop.
 */
public final class ClusterNode implements AutoCloseable {
    private final NodeSettings settings;
    private final Owner self;
    private final Loop loop;
    private final StateHolder holder;
    private final LeaseSafety safety;
    private final Stats stats;
    private final Log log;
    private final ActiveServices services = new ActiveServices();
    private final FenceGuard guard;
    private final List<StateListener> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Participation started;
    private volatile boolean departed;
    private volatile BooleanSupplier mayLive = () -> true;
    private boolean leading;
    private long term;
    private boolean closed;

    /**
     * Creates a member with an empty state.
     *
     * @param incarnation random number generated at the start of the process
     * @param safety {@link LeaseSafety#SAFE}, except in tests of the checkers
     */
    public ClusterNode(NodeSettings settings, long incarnation, Loop loop, LeaseSafety safety, Stats stats, Log log) {
        this.settings = settings;
        this.self = new Owner(settings.member(), incarnation);
        this.loop = loop;
        this.safety = safety;
        this.stats = stats;
        this.log = log;
        ClusterStats.begin(stats);
        this.holder = new StateHolder(loop, stats);
        this.guard = new FenceGuard(this::currentFence, safety, stats, log);
        holder.listen(new Relay());
    }

    /**
     * The fence with which a side effect is admitted now. A lease held by this member counts only while it is certainly
     * held: after a pause of the whole process its copy of the state is outdated, and another thread may be the first
     * to continue.
     */
    private Fence currentFence(String lease) {
        LeaseState l = holder.now().lease(lease);
        if (l == null || l.free()) {
            return Fence.NONE;
        }
        return !l.heldBy(self.member(), self.incarnation()) || surelyHeld(l) ? l.fence() : Fence.NONE;
    }

    private boolean surelyHeld(LeaseState l) {
        Participation p = started;
        Held h = p == null ? null : p.held(l.name());
        return h != null && h.fence().equals(l.fence()) && h.valid();
    }

    /** The state with which the log is opened. */
    public StateHolder holder() {
        return holder;
    }

    /**
     * Adds a listener of applied entries for components of a participating member. It is called once the member has
     * started, first with the current state ({@link StateListener#restored}). Call before the start, from any thread.
     */
    public void listen(StateListener listener) {
        listeners.add(listener);
    }

    /**
     * Delays this member: it is not alive in the cluster, so nothing is placed on it, until the supplier returns true.
     * Call before the start, from any thread; the supplier is polled on the loop.
     */
    public void aliveOnce(BooleanSupplier may) {
        mayLive = may;
    }

    public Owner self() {
        return self;
    }

    /** The state as applied on this member. */
    public ClusterState now() {
        return holder.now();
    }

    /** The services active on this member. */
    public ActiveServices services() {
        return services;
    }

    /** The guard that side effects on behalf of a lease must pass. */
    public FenceGuard guard() {
        return guard;
    }

    /** Starts the member: joins the cluster and performs the duties that its state assigns to this member. */
    public void start(NodeParts parts) {
        Participation p = new Participation(
                new Participation.Around(settings, self, loop, holder, guard, safety, stats, log), parts, mayLive);
        started = p;
        loop.execute(() -> begin(p));
    }

    private void begin(Participation p) {
        p.begin(leading, term);
        listeners.forEach(l -> l.restored(holder.now()));
        listeners.forEach(l -> l.leadership(leading, term));
        p.check();
    }

    /** Forwards applied entries to the parts and listeners; before the start it only records leadership. */
    private final class Relay implements StateListener {
        @Override
        public void applied(ClusterState after, List<Event> events) {
            Participation p = started;
            if (p != null && !closed) {
                p.applied(after, events);
                listeners.forEach(l -> l.applied(after, events));
            }
        }

        @Override
        public void restored(ClusterState now) {
            Participation p = started;
            if (p != null && !closed) {
                p.restored(now);
                listeners.forEach(l -> l.restored(now));
            }
        }

        @Override
        public void leadership(boolean leads, long inTerm) {
            leading = leads;
            term = inTerm;
            Participation p = started;
            if (p != null && !closed) {
                p.leadership(leads, inTerm);
                listeners.forEach(l -> l.leadership(leads, inTerm));
            }
        }
    }

    private Participation started() {
        Participation p = started;
        if (p == null) {
            throw new IllegalStateException("the member was not started");
        }
        return p;
    }

    /** Commands to the cluster, on this member's or an operator's behalf. */
    public Proposer proposer() {
        return started().proposer();
    }

    public ConsensusLog log() {
        return started().log();
    }

    /** Completes when this member is alive in the cluster for the first time. */
    public CompletableFuture<Void> joined() {
        return started().life().joined();
    }

    /** The member lease, which shows that this member is alive; null while it is not held. */
    public @Nullable Held life() {
        return started().life().held();
    }

    /**
     * Nanoseconds since this member sent the latest request that the cluster answered, or since its start if none was
     * answered; 0 before the start and after it has left, when it sends no requests. From any thread.
     */
    public long silence() {
        Participation p = started;
        return p == null || departed ? 0 : p.silence();
    }

    /** Whether the cluster answered any request of this member since its start. From any thread. */
    public boolean answered() {
        Participation p = started;
        return p != null && p.answered();
    }

    /** The leases held by this member, sorted by name. */
    public List<Held> held() {
        Participation p = started;
        return p == null ? List.of() : p.held();
    }

    /** Nanoseconds until each lease held by this member ends unless renewed, by name. */
    public Map<String, Long> remaining() {
        return held().stream().collect(Collectors.toMap(Held::lease, Held::remaining, (a, _) -> a));
    }

    /**
     * Estimated nanoseconds until the leases of all holders end unless renewed, by name; empty if renewals are not in
     * the log.
     */
    public Map<String, Long> estimates() {
        Participation p = started;
        return p == null ? Map.of() : p.estimates();
    }

    /** The status of each singleton on this member. */
    public List<Here> here() {
        Participation p = started;
        return p == null ? List.of() : p.here();
    }

    /**
     * Registers the configuration's singletons with the cluster; retries until that succeeds.
     *
     * @return completes with the reasons of refused definitions
     */
    public CompletableFuture<List<String>> define(List<SingletonSpec> specs) {
        return new Definer(started().proposer(), loop, settings.times().check(), () -> closed, log, specs).start();
    }

    /**
     * Leaves gracefully: the cluster moves this member's singletons, then this member releases its member lease, then
     * leadership of the log. If the departure is not committed within half of the time-out, active singletons are
     * deactivated anyway, and the leases expire.
     *
     * @return completes when no singleton runs here any more, or after the time-out
     */
    public CompletableFuture<Void> leave(Duration timeOut) {
        return started().leave(timeOut).whenComplete((_, _) -> departed = true);
    }

    /** Stops immediately. Held leases expire; the owner closes the log and the threads. */
    @Override
    public void close() {
        Participation p = started;
        if (p == null) {
            return;
        }
        loop.deliver(() -> {
            closed = true;
            p.stop();
        });
    }
}
