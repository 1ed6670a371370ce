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
 * The leader's side: whatever the cluster decides after a time, the leader of its log measures on its own monotonic
 * clock and proposes; the state accepts only if nothing changed meanwhile. Watches on every member, proposes only while
 * leading. Confined to the member's loop; lives as long as the member.
 */
public final class LeaderTimeouts implements StateListener {
    private final Owner self;
    private final Loop loop;
    private final Supplier<ClusterState> state;
    private final Proposer proposer;
    private final LeaseBackend backend;
    private final LeaderSettings how;
    private final LeaseSafety rules;
    private final Log log;
    private final Sightings leases = new Sightings();
    private final Sightings singletons = new Sightings();
    private final Sightings lives = new Sightings();
    private final Sightings boots = new Sightings();
    private final Set<Command> asked = new HashSet<>();
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
            LeaderSettings how,
            LeaseSafety rules,
            Log log) {
        this.self = self;
        this.loop = loop;
        this.state = state;
        this.proposer = proposer;
        this.backend = backend;
        this.how = how;
        this.rules = rules;
        this.log = log;
        this.started = loop.clock().nanos();
    }

    public void start() {
        tick = loop.after(how.times().checkNanos(), this::tick);
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
            tick = loop.after(how.times().checkNanos(), this::tick);
            look(state.get());
        }
    }

    /** What need not wait for the next look. */
    private void act() {
        if (tick != null && leading) {
            takeOver();
            boot(state.get());
        }
    }

    private void look(ClusterState now) {
        leases.keepOnly(now.leases().keySet());
        singletons.keepOnly(now.singletons().keySet());
        lives.keepOnly(now.members().keySet());
        if (leading) {
            act();
        }
        now.leases().values().forEach(this::lease);
        now.members().values().forEach(m -> life(m, now));
        now.singletons().values().forEach(s -> singleton(s, now));
        if (leading && how.rows()) {
            scan();
        }
    }

    private void takeOver() {
        if (tookOver || how.rows()) {
            return;
        }
        boolean booting = loop.clock().nanos() - started < how.bootDelay().toNanos();
        long inTerm = term;
        ask(new MemberCommand.TookOver(self.member(), inTerm, booting), () -> tookOver = inTerm == term);
    }

    private void boot(ClusterState now) {
        if (!now.boot().pending()) {
            return;
        }
        long since = boots.since("boot", now.boot().version(), loop.clock().nanos());
        long alive = now.members().keySet().stream().filter(now::alive).count();
        if (alive >= how.members() || passed(since, how.bootDelay().toNanos())) {
            ask(new MemberCommand.BootDelayOver(now.boot().version()));
        }
    }

    private void lease(LeaseState l) {
        String owner = l.owner();
        if (owner == null || how.rows()) {
            return;
        }
        record Renewal(Fence fence, long index) {}
        long now = loop.clock().nanos();
        long seen = leases.since(l.name(), new Renewal(l.fence(), l.renewal()), now);
        if (!leading) {
            return;
        }
        long idle = now - rules.expiryCountsFrom(seen, leadingSince);
        if (idle > how.times().ttlNanos() + how.times().marginNanos()) {
            ask(
                    new LeaseCommand.Expire(l.name(), l.fence(), l.renewal()),
                    () -> log.log(
                            ClusterMessages.LEASE_OVER,
                            l.name(),
                            owner,
                            l.fence(),
                            "no renewal was seen for " + Durations.spoken(Duration.ofNanos(idle))));
        }
    }

    /** Tracks since when a member has been alive without a break, which its lease's fence shows. */
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
                // nothing of it is a matter of time
            }
        }
    }

    private void retry(SingletonState s, long since) {
        if (passed(since, Duration.ofMillis(s.pauseMillis()).toNanos())) {
            ask(new SingletonCommand.RetryNow(s.name(), s.version()));
        }
    }

    private void taken(SingletonState s, ClusterState now, long since) {
        if (now.owner(s.lease()) == null && passed(since, how.take().toNanos())) {
            ask(new SingletonCommand.NotTaken(s.name(), s.version()));
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
            ask(new SingletonCommand.FailBack(s.name(), s.version(), life.fence()));
        }
    }

    /** Where rows say which leases are over, their word is passed on. */
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
                    over.forEach(l -> ask(new LeaseCommand.Lost(l.name(), l.fence())));
                },
                fault -> {
                    scanning = false;
                    log.log(ClusterMessages.NOT_PROPOSED, "leases that are over", fault);
                });
    }

    private boolean passed(long since, long nanos) {
        return loop.clock().nanos() - since >= nanos;
    }

    private void ask(Command command) {
        ask(command, () -> {});
    }

    /** Proposes, unless the answer to the same is still awaited; the next check retries what failed. */
    private void ask(Command command, Runnable accepted) {
        if (!asked.add(command)) {
            return;
        }
        FutureOutcome.of(
                proposer.propose(command),
                log,
                answer -> {
                    asked.remove(command);
                    if (answer.accepted()) {
                        accepted.run();
                    }
                },
                fault -> {
                    asked.remove(command);
                    log.log(ClusterMessages.NOT_PROPOSED, command, fault);
                });
    }
}
