package io.weir.cluster.node;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.lease.FenceGuard;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.LeaseKeeper;
import io.weir.cluster.lease.LeaseRules;
import io.weir.cluster.lease.LogLeases;
import io.weir.cluster.lease.Outcome;
import io.weir.cluster.lease.Overseer;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.lease.RenewalsSeen;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.ActiveServices;
import io.weir.cluster.singleton.Controller;
import io.weir.cluster.singleton.Here;
import io.weir.cluster.singleton.Surroundings;
import io.weir.cluster.state.Answer;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Event;
import io.weir.cluster.state.LeaseState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.SingletonCommand;
import io.weir.cluster.state.SingletonSpec;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.stats.ClusterMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A member of the cluster, everything of it above the log: no thread of its own, so that the same object runs in a server and
 * in the simulation. Made first; the log is opened with its {@link #holder()}; then it is started on that. Accessors are for
 * any thread; what it owns is confined to the loop.
 */
public final class ClusterNode implements AutoCloseable {
    private final NodeSettings settings;
    private final Owner self;
    private final Loop loop;
    private final StateHolder holder;
    private final LeaseRules rules;
    private final Stats stats;
    private final Log log;
    private final ActiveServices services = new ActiveServices();
    private final FenceGuard guard;
    private final List<StateListener> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Started started;
    private volatile boolean departed;
    private volatile BooleanSupplier mayLive = () -> true;
    private boolean leading;
    private long term;
    private boolean closed;

    /** What there is once the log is. */
    private record Started(
            ConsensusLog log,
            Proposer proposer,
            LeaseBackend backend,
            LeaseKeeper keeper,
            Controller controller,
            Overseer overseer,
            MemberLife life,
            News news,
            @Nullable RenewalsSeen renewals) {}

    /**
     * A member that knows nothing yet.
     *
     * @param incarnation drawn at random at the process's start
     * @param rules {@link LeaseRules#SAFE}, but in tests of the tests
     */
    public ClusterNode(NodeSettings settings, long incarnation, Loop loop, LeaseRules rules, Stats stats, Log log) {
        this.settings = settings;
        this.self = new Owner(settings.member(), incarnation);
        this.loop = loop;
        this.rules = rules;
        this.stats = stats;
        this.log = log;
        this.holder = new StateHolder(loop, stats);
        this.guard = new FenceGuard(this::currentFence, rules, stats, log);
        holder.listen(new Relay());
    }

    /**
     * The fence with which a side effect may happen now. What this member holds counts only while that is sure: after a stop
     * of the whole process its copy of the state is old, and another thread may be the first to go on.
     */
    private Fence currentFence(String lease) {
        LeaseState l = holder.now().lease(lease);
        if (l == null || l.free()) {
            return Fence.NONE;
        }
        return !l.heldBy(self.member(), self.incarnation()) || surelyHeld(l) ? l.fence() : Fence.NONE;
    }

    private boolean surelyHeld(LeaseState l) {
        Started s = started;
        Held h = s == null ? null : s.keeper().held(l.name());
        return h != null && h.fence().equals(l.fence()) && h.valid();
    }

    /** With what the log is opened. */
    public StateHolder holder() {
        return holder;
    }

    /**
     * Will be told of what is applied once the member is started, beginning with the state as it is then
     * ({@link StateListener#restored}): for what stands on a member that takes part. Before the start, from any thread.
     */
    public void listen(StateListener listener) {
        listeners.add(listener);
    }

    /**
     * Holds this member back: it is not alive in the cluster, so nothing is placed on it, until this says so. Before the start,
     * from any thread; asked on the loop, again and again.
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
        String author = "member:" + self.member();
        Proposer proposer = new Proposer(parts.log(), loop, author, stats);
        NodeParts.Leases other = parts.leases();
        LeaseBackend backend = other == null ? new LogLeases(self, proposer, holder::now) : other.open(self, proposer);
        LeaseKeeper keeper = new LeaseKeeper(loop, backend, settings.times(), rules, stats, log);
        MemberLife life = new MemberLife(settings, self, holder::now, proposer, keeper, mayLive, log);
        Started s = new Started(
                parts.log(),
                proposer,
                backend,
                keeper,
                controller(parts, proposer, keeper),
                new Overseer(self, loop, holder::now, proposer, backend, settings.overseeing(), rules, log),
                life,
                new News(author, () -> life.joined().isDone(), stats, log),
                other == null ? new RenewalsSeen(loop.clock(), settings.times()) : null);
        if (s.renewals() != null) {
            listeners.add(s.renewals());
        }
        started = s;
        loop.execute(() -> begin(s));
    }

    private Controller controller(NodeParts parts, Proposer proposer, LeaseKeeper keeper) {
        Surroundings around = new Surroundings(
                self,
                loop,
                holder::now,
                proposer,
                keeper,
                guard,
                rules,
                parts.activations(),
                settings.services(),
                settings.times(),
                parts.halt(),
                stats,
                log);
        return new Controller(around, settings.times().check());
    }

    private void begin(Started s) {
        log.log(ClusterMessages.JOINING, settings.cluster(), self.member(), Long.toHexString(self.incarnation()));
        s.keeper().start();
        s.overseer().start();
        if (leading) {
            s.overseer().leadership(true, term);
        }
        s.controller().start();
        listeners.forEach(l -> l.restored(holder.now()));
        listeners.forEach(l -> l.leadership(leading, term));
        tick(s);
    }

    private void tick(Started s) {
        if (!closed) {
            loop.after(settings.times().check().toNanos(), () -> tick(s));
            s.life().step();
        }
    }

    /** Passes on what is applied; before the start only leadership is remembered. */
    private final class Relay implements StateListener {
        private long tookOver;

        @Override
        public void applied(ClusterState after, List<Event> events) {
            Started s = started;
            if (s == null || closed) {
                return;
            }
            if (after.tookOver() > tookOver) {
                tookOver = after.tookOver();
                s.keeper().renewNow();
            }
            s.news().applied(after, events);
            s.overseer().applied(after, events);
            s.controller().applied(after, events);
            listeners.forEach(l -> l.applied(after, events));
        }

        @Override
        public void restored(ClusterState now) {
            Started s = started;
            if (s != null && !closed) {
                s.overseer().restored(now);
                s.controller().restored(now);
                listeners.forEach(l -> l.restored(now));
            }
        }

        @Override
        public void leadership(boolean leads, long inTerm) {
            leading = leads;
            term = inTerm;
            Started s = started;
            if (s != null && !closed) {
                s.overseer().leadership(leads, inTerm);
                listeners.forEach(l -> l.leadership(leads, inTerm));
            }
        }
    }

    private Started started() {
        Started s = started;
        if (s == null) {
            throw new IllegalStateException("the member was not started");
        }
        return s;
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
     * Nanoseconds since this member asked the cluster something that was answered, or since its start where nothing ever was; 0
     * before the start, and when it has left: then it asks nothing. From any thread.
     */
    public long silence() {
        Started s = started;
        return s == null || departed
                ? 0
                : Math.min(s.keeper().heard().silence(), s.proposer().heard().silence());
    }

    /** Whether the cluster answered this member anything since its start. From any thread. */
    public boolean answered() {
        Started s = started;
        return s != null && (s.keeper().heard().ever() || s.proposer().heard().ever());
    }

    /** Leases that this member holds, by name. */
    public List<Held> held() {
        Started s = started;
        return s == null ? List.of() : s.keeper().held();
    }

    /** Nanoseconds until the leases that it holds end unless renewed, by name. */
    public Map<String, Long> remaining() {
        return held().stream().collect(Collectors.toMap(Held::lease, Held::remaining, (a, _) -> a));
    }

    /**
     * Nanoseconds until leases end unless renewed, by name, whoever holds them, as this member guesses; empty where
     * renewals do not come by the log.
     */
    public Map<String, Long> estimates() {
        Started s = started;
        RenewalsSeen seen = s == null ? null : s.renewals();
        return seen == null ? Map.of() : seen.estimates();
    }

    /** What each singleton is to this member. */
    public List<Here> here() {
        Started s = started;
        return s == null ? List.of() : s.controller().here();
    }

    /**
     * Makes the configuration's singletons known to the cluster, once it can be told: until then it is tried again.
     *
     * @return completes with the refused ones' reasons
     */
    public CompletableFuture<List<String>> define(List<SingletonSpec> specs) {
        Started s = started();
        List<String> refused = new ArrayList<>();
        CompletableFuture<List<String>> done = new CompletableFuture<>();
        loop.execute(() -> define(s, specs, 0, refused, done));
        return done;
    }

    private void define(
            Started s,
            List<SingletonSpec> specs,
            int next,
            List<String> refused,
            CompletableFuture<List<String>> done) {
        if (next == specs.size() || closed) {
            done.complete(refused);
            return;
        }
        Outcome.of(
                s.proposer().propose(new SingletonCommand.Define(specs.get(next))),
                log,
                answer -> {
                    if (answer instanceof Answer.Refused r) {
                        refused.add(specs.get(next).name() + ": " + r.text());
                    }
                    define(s, specs, next + 1, refused, done);
                },
                _ -> loop.after(settings.times().check().toNanos(), () -> define(s, specs, next, refused, done)));
    }

    /**
     * Leaves in order: the cluster moves this member's singletons, then it gives up being alive, then leadership of the log.
     * When the cluster cannot be told within half of the patience, what is active is deactivated here all the same, and the
     * leases end by themselves.
     *
     * @return completes when nothing of a singleton runs here any more, or the patience is at an end
     */
    public CompletableFuture<Void> leave(Duration patience) {
        Started s = started();
        Leaving leaving = new Leaving(loop, s.life(), s.controller(), s.log(), settings, log);
        return leaving.begin(patience).whenComplete((_, _) -> departed = true);
    }

    /** Stops at once. What is held ends by itself; the log and the threads are their owner's to close. */
    @Override
    public void close() {
        Started s = started;
        if (s == null) {
            return;
        }
        loop.deliver(() -> {
            closed = true;
            s.controller().stop();
            s.overseer().stop();
            s.keeper().stop();
            s.backend().close();
        });
    }
}
