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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A member of the cluster, everything of it above the log: no thread of its own, so that the same object runs in a
 * server and in the simulation. Made first; the log is opened with its {@link #holder()}; then it is started on that.
 * Accessors are for any thread; what it owns is confined to the loop.
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
     * A member that knows nothing yet.
     *
     * @param incarnation drawn at random at the process's start
     * @param safety {@link LeaseSafety#SAFE}, but in tests of the tests
     */
    public ClusterNode(NodeSettings settings, long incarnation, Loop loop, LeaseSafety safety, Stats stats, Log log) {
        this.settings = settings;
        this.self = new Owner(settings.member(), incarnation);
        this.loop = loop;
        this.safety = safety;
        this.stats = stats;
        this.log = log;
        this.holder = new StateHolder(loop, stats);
        this.guard = new FenceGuard(this::currentFence, safety, stats, log);
        holder.listen(new Relay());
    }

    /**
     * The fence with which a side effect may happen now. What this member holds counts only while that is sure: after a
     * stop of the whole process its copy of the state is old, and another thread may be the first to go on.
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

    /** With what the log is opened. */
    public StateHolder holder() {
        return holder;
    }

    /**
     * Adds a listener to applied entries. Once the member has started it is called, first with the state at that time
     * ({@link StateListener#restored}): for components of a participating member. Call before the start, from any
     * thread.
     */
    public void listen(StateListener listener) {
        listeners.add(listener);
    }

    /**
     * Holds this member back: it is not alive in the cluster, so nothing is placed on it, until this says so. Before
     * the start, from any thread; asked on the loop, again and again.
     */
    public void aliveOnce(BooleanSupplier may) {
        mayLive = may;
    }

    public Owner self() {
        return self;
    }

    /** The state as applied here. */
    public ClusterState now() {
        return holder.now();
    }

    /** The services active here. */
    public ActiveServices services() {
        return services;
    }

    /** What side effects on a lease's behalf ask before they happen. */
    public FenceGuard guard() {
        return guard;
    }

    /** Begins: joins the cluster, takes part in whatever its state asks of this member. */
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

    /** Passes on what is applied; before the start only leadership is remembered. */
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

    /** The lease that is this member's being alive; null while it is not. */
    public @Nullable Held life() {
        return started().life().held();
    }

    /**
     * Nanoseconds since this member asked the cluster something that was answered, or since its start where nothing
     * ever was; 0 before the start, and when it has left: then it asks nothing. From any thread.
     */
    public long silence() {
        Participation p = started;
        return p == null || departed ? 0 : p.silence();
    }

    /** Whether the cluster answered this member anything since its start. From any thread. */
    public boolean answered() {
        Participation p = started;
        return p != null && p.answered();
    }

    /** Leases that this member holds, by name. */
    public List<Held> held() {
        Participation p = started;
        return p == null ? List.of() : p.held();
    }

    /** Nanoseconds until the leases that it holds end unless renewed, by name. */
    public Map<String, Long> remaining() {
        return held().stream().collect(Collectors.toMap(Held::lease, Held::remaining, (a, _) -> a));
    }

    /**
     * Nanoseconds until leases end unless renewed, by name, of all holders, as this member estimates; empty where
     * renewals are not in the log.
     */
    public Map<String, Long> estimates() {
        Participation p = started;
        return p == null ? Map.of() : p.estimates();
    }

    /** What each singleton is to this member. */
    public List<Here> here() {
        Participation p = started;
        return p == null ? List.of() : p.here();
    }

    /**
     * Registers the configuration's singletons with the cluster; retries until that succeeds.
     *
     * @return completes with the refused ones' reasons
     */
    public CompletableFuture<List<String>> define(List<SingletonSpec> specs) {
        return new Definer(started().proposer(), loop, settings.times().check(), () -> closed, log, specs).start();
    }

    /**
     * Leaves gracefully: the cluster moves this member's singletons, then it releases its member lease, then leadership
     * of the log. If the cluster does not learn of it within half of the patience, what is active is deactivated here
     * all the same, and the leases end by themselves.
     *
     * @return completes when nothing of a singleton runs here any more, or the patience is at an end
     */
    public CompletableFuture<Void> leave(Duration patience) {
        return started().leave(patience).whenComplete((_, _) -> departed = true);
    }

    /** Stops at once. What is held ends by itself; the log and the threads are their owner's to close. */
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
