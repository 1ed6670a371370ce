package io.weir.cluster.lease;

import io.weir.base.Durations;
import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.stats.ClusterMessages;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The leader's side of leasing: the leader of the log measures all time-outs of the cluster's state on its monotonic
 * clock and proposes the resulting commands; the state accepts them only if nothing changed in between. Every member
 * observes, only the leader proposes. Confined to the member's loop; lives as long as the member.
 */
public final class LeaderTimeouts implements StateListener {
    private final Owner self;
    private final Loop loop;
    private final Supplier<ClusterState> state;
    private final Proposer proposer;
    private final LeaseBackend backend;
    private final LeaderSettings settings;
    private final LeaseSafety rules;
    private final Log log;
    private final Sightings leases = new Sightings();
    private final Sightings singletons = new Sightings();
    private final Sightings lives = new Sightings();
    private final Sightings boots = new Sightings();
    private final Set<Command> inFlight = new HashSet<>();
    private final long started;
    private @Nullable Cancellable tick;
    private boolean leading;
    private long term;
    private long leadingSince;
    private boolean tookOver;
    private boolean scanning;

    public LeaderTimeouts(
            Owner self,
            Loop loop,
            Supplier<ClusterState> state,
            Proposer proposer,
            LeaseBackend backend,
            LeaderSettings settings,
            LeaseSafety rules,
            Log log) {
        this.self = self;
        this.loop = loop;
        this.state = state;
        this.proposer = proposer;
        this.backend = backend;
        this.settings = settings;
        this.rules = rules;
        this.log = log;
        this.started = loop.clock().nanos();
    }

    public void start() {
        tick = loop.after(settings.times().checkNanos(), this::tick);
    }

    public void stop() {
        Cancellable waiting = tick;
        tick = null;
        if (waiting != null) {
            waiting.cancel();
        }
    }

    @Override
    public void leadership(boolean leads, long inTerm) {
        if (leads && !leading) {
            leadingSince = loop.clock().nanos();
        }
        tookOver = leads && leading && inTerm == term && tookOver;
        leading = leads;
        term = inTerm;
        log.log(leads ? ClusterMessages.LEADING : ClusterMessages.FOLLOWING, inTerm);
        act();
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        if (after.boot().pending() && !events.isEmpty()) {
            act();
        }
    }

    @Override
    public void restored(ClusterState now) {
        act();
    }

    private void tick() {
        if (tick != null) {
            tick = loop.after(settings.times().checkNanos(), this::tick);
            check(state.get());
        }
    }

    /** Actions that need not wait for the next check. */
    private void act() {
        if (tick != null && leading) {
            takeOver();
            boot(state.get());
        }
    }

    private void check(ClusterState now) {
        leases.keepOnly(now.leases().keySet());
        singletons.keepOnly(now.singletons().keySet());
        lives.keepOnly(now.members().keySet());
        if (leading) {
            act();
        }
        now.leases().values().forEach(this::lease);
        now.members().values().forEach(m -> life(m, now));
        now.singletons().values().forEach(s -> singleton(s, now));
        if (leading && settings.rows()) {
            scan();
        }
    }

    private void takeOver() {
        if (tookOver || settings.rows()) {
            return;
        }
        boolean booting = loop.clock().nanos() - started < settings.bootDelay().toNanos();
        long inTerm = term;
        propose(new MemberCommand.TookOver(self.member(), inTerm, booting), () -> tookOver = inTerm == term);
    }

    private void boot(ClusterState now) {
        if (!now.boot().pending()) {
            return;
        }
        long since = boots.since("boot", now.boot().version(), loop.clock().nanos());
        long alive = now.members().keySet().stream().filter(now::alive).count();
        if (alive >= settings.members() || passed(since, settings.bootDelay().toNanos())) {
            propose(new MemberCommand.BootDelayOver(now.boot().version()));
        }
    }

    private void lease(LeaseState l) {
        String owner = l.owner();
        if (owner == null || settings.rows()) {
            return;
        }
        record Renewal(Fence fence, long index) {}
        long now = loop.clock().nanos();
        long seen = leases.since(l.name(), new Renewal(l.fence(), l.renewal()), now);
        if (!leading) {
            return;
        }
        long idle = now - rules.expiryCountsFrom(seen, leadingSince);
        if (idle > settings.times().ttlNanos() + settings.times().marginNanos()) {
            propose(
                    new LeaseCommand.Expire(l.name(), l.fence(), l.renewal()),
                    () -> log.log(
                            ClusterMessages.LEASE_OVER,
                            l.name(),
                            owner,
                            l.fence(),
                            "no renewal was seen for " + Durations.spoken(Duration.ofNanos(idle))));
        }
    }

    /** Tracks since when a member has been alive without interruption, which is identified by its lease's fence. */
    private void life(MemberState m, ClusterState now) {
        LeaseState l = now.lease(Leases.ofMember(m.name()));
        boolean alive = l != null && l.owner() != null;
        lives.since(
                m.name(),
                alive && l != null ? l.fence() : Fence.NONE,
                loop.clock().nanos());
    }

    private void singleton(SingletonState s, ClusterState now) {
        long since = singletons.since(s.name(), s.version(), loop.clock().nanos());
        if (!leading) {
            return;
        }
        long counts = rules.expiryCountsFrom(since, leadingSince);
        switch (s.phase()) {
            case WAITING -> retry(s, counts);
            case PLACED -> taken(s, now, counts);
            case ACTIVE -> failBack(s, now);
            case UNPLACED, ACTIVATING, FAILED, PAUSED -> {
                // these phases have no time-out
            }
        }
    }

    private void retry(SingletonState s, long since) {
        if (passed(since, Duration.ofMillis(s.pauseMillis()).toNanos())) {
            propose(new SingletonCommand.RetryNow(s.name(), s.version()));
        }
    }

    private void taken(SingletonState s, ClusterState now, long since) {
        if (now.owner(s.lease()) == null && passed(since, settings.take().toNanos())) {
            propose(new SingletonCommand.NotTaken(s.name(), s.version()));
        }
    }

    private void failBack(SingletonState s, ClusterState now) {
        String preferred = s.spec().preferred();
        if (s.spec().failBack() != FailBackMode.AFTER || preferred == null || preferred.equals(s.member())) {
            return;
        }
        LeaseState life = now.lease(Leases.ofMember(preferred));
        MemberState m = now.member(preferred);
        if (life == null
                || m == null
                || !now.eligible(preferred)
                || s.preferredFailure() == m.incarnation()
                || now.holds(s)) {
            return;
        }
        long since = lives.since(preferred, life.fence(), loop.clock().nanos());
        long stable = rules.expiryCountsFrom(since, leadingSince);
        if (passed(stable, Duration.ofMillis(s.spec().failBackMillis()).toNanos())) {
            propose(new SingletonCommand.FailBack(s.name(), s.version(), life.fence()));
        }
    }

    /** Forwards the expired leases that the lease backend reports. */
    private void scan() {
        if (scanning) {
            return;
        }
        scanning = true;
        CompletableFuture<List<Lease>> expired = backend.expired();
        FutureOutcome.of(
                expired,
                log,
                over -> {
                    scanning = false;
                    over.forEach(l -> propose(new LeaseCommand.Lost(l.name(), l.fence())));
                },
                fault -> {
                    scanning = false;
                    log.log(ClusterMessages.NOT_PROPOSED, "expired leases", fault);
                });
    }

    private boolean passed(long since, long nanos) {
        return loop.clock().nanos() - since >= nanos;
    }

    private void propose(Command command) {
        propose(command, () -> {});
    }

    /** Proposes a command unless the same one is in flight; the next check retries failed ones. */
    private void propose(Command command, Runnable accepted) {
        if (!inFlight.add(command)) {
            return;
        }
        FutureOutcome.of(
                proposer.propose(command),
                log,
                answer -> {
                    inFlight.remove(command);
                    if (answer.accepted()) {
                        accepted.run();
                    }
                },
                fault -> {
                    inFlight.remove(command);
                    log.log(ClusterMessages.NOT_PROPOSED, command, fault);
                });
    }
}
