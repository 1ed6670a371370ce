package io.weir.cluster.node;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.lease.FenceGuard;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaderTimeouts;
import io.weir.cluster.lease.LeaseBackend;
import io.weir.cluster.lease.LeaseRenewer;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LogLeases;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.lease.RenewalsSeen;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.Controller;
import io.weir.cluster.singleton.Here;
import io.weir.cluster.singleton.SingletonParts;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.stats.ClusterMessages;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A participating member, created once the log is open: its membership, leases, singletons, and duties as leader of the
 * log. Confined to the member's loop except where noted; lives from the member's start to its close.
 */
final class Participation {
    private final NodeSettings settings;
    private final Owner self;
    private final Loop loop;
    private final StateHolder holder;
    private final Log log;
    private final ConsensusLog consensus;
    private final Proposer proposer;
    private final LeaseBackend backend;
    private final LeaseRenewer renewer;
    private final Controller controller;
    private final LeaderTimeouts timeouts;
    private final MemberLife life;
    private final DecisionLog decisions;
    private final @Nullable RenewalsSeen renewals;
    private long tookOver;
    private boolean stopped;

    /** Dependencies created by the node, in addition to {@link NodeParts}. Immutable. */
    record Around(
            NodeSettings settings,
            Owner self,
            Loop loop,
            StateHolder holder,
            FenceGuard guard,
            LeaseSafety safety,
            Stats stats,
            Log log) {}

    /** @param mayLive polled; until it returns true this member is not alive in the cluster */
    Participation(Around around, NodeParts parts, BooleanSupplier mayLive) {
        this.settings = around.settings();
        this.self = around.self();
        this.loop = around.loop();
        this.holder = around.holder();
        this.log = around.log();
        this.consensus = parts.log();
        String author = "member:" + self.member();
        this.proposer = new Proposer(parts.log(), loop, author, around.stats());
        NodeParts.Leases other = parts.leases();
        this.backend = other == null ? new LogLeases(self, proposer, holder::now) : other.open(self, proposer);
        this.renewer = new LeaseRenewer(loop, backend, settings.times(), around.safety(), around.stats(), log);
        this.life = new MemberLife(settings, self, holder::now, proposer, renewer, mayLive, log);
        this.controller = controller(around, parts);
        this.timeouts =
                new LeaderTimeouts(self, loop, holder::now, proposer, backend, settings.leader(), around.safety(), log);
        this.decisions = new DecisionLog(author, () -> life.joined().isDone(), around.stats(), log);
        this.renewals = other == null ? new RenewalsSeen(loop.clock(), settings.times()) : null;
    }

    private Controller controller(Around around, NodeParts parts) {
        SingletonParts services = new SingletonParts(
                self,
                loop,
                holder::now,
                proposer,
                renewer,
                around.guard(),
                around.safety(),
                parts.activations(),
                settings.services(),
                settings.times(),
                parts.halt(),
                around.stats(),
                log);
        return new Controller(services, settings.times().check());
    }

    void begin(boolean leading, long term) {
        log.log(ClusterMessages.JOINING, self.member(), settings.cluster(), Long.toHexString(self.incarnation()));
        renewer.start();
        timeouts.start();
        if (leading) {
            timeouts.leadership(true, term);
        }
        controller.start();
        if (renewals != null) {
            renewals.restored(holder.now());
        }
    }

    /** Starts the periodic check, which retries requests without an answer. */
    void check() {
        if (!stopped) {
            loop.after(settings.times().check().toNanos(), this::check);
            life.step();
        }
    }

    void applied(ClusterState after, List<Event> events) {
        if (after.tookOver() > tookOver) {
            tookOver = after.tookOver();
            renewer.renewNow();
        }
        decisions.applied(after, events);
        timeouts.applied(after, events);
        controller.applied(after, events);
        if (renewals != null) {
            renewals.applied(after, events);
        }
    }

    void restored(ClusterState now) {
        timeouts.restored(now);
        controller.restored(now);
        if (renewals != null) {
            renewals.restored(now);
        }
    }

    void leadership(boolean leads, long term) {
        timeouts.leadership(leads, term);
    }

    /** From any thread. */
    Proposer proposer() {
        return proposer;
    }

    /** From any thread. */
    ConsensusLog log() {
        return consensus;
    }

    MemberLife life() {
        return life;
    }

    /** The held lease of this name; null if this member does not hold it. From any thread. */
    @Nullable
    Held held(String lease) {
        return renewer.held(lease);
    }

    /** From any thread. */
    List<Held> held() {
        return renewer.held();
    }

    /** From any thread. */
    Map<String, Long> estimates() {
        return renewals == null ? Map.of() : renewals.estimates();
    }

    /** From any thread. */
    List<Here> here() {
        return controller.here();
    }

    /** Nanoseconds since the latest answered request was sent. From any thread. */
    long silence() {
        return Math.min(renewer.answers().silence(), proposer.answers().silence());
    }

    /** Whether any request was ever answered. From any thread. */
    boolean answered() {
        return renewer.answers().ever() || proposer.answers().ever();
    }

    /** From any thread; as {@link ClusterNode#leave}. */
    CompletableFuture<Void> leave(Duration timeOut) {
        return new Leaving(loop, life, controller, consensus, settings, log).begin(timeOut);
    }

    void stop() {
        stopped = true;
        controller.stop();
        timeouts.stop();
        renewer.stop();
        backend.close();
    }
}
