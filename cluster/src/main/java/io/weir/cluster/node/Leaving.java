package io.weir.cluster.node;

import io.weir.base.Log;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.singleton.Controller;
import io.weir.cluster.stats.ClusterMessages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A member's graceful departure: announce it, stop singletons, release the lease, transfer leadership. Confined to the
 * member's loop; lives for one departure.
 */
final class Leaving {
    /** Interval of checking whether the singletons have moved: a small fraction of the duration of a planned move. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(5);

    private final Loop loop;
    private final MemberLife life;
    private final Controller controller;
    private final ConsensusLog consensus;
    private final NodeSettings settings;
    private final Log log;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private long force;

    Leaving(Loop loop, MemberLife life, Controller controller, ConsensusLog consensus, NodeSettings settings, Log log) {
        this.loop = loop;
        this.life = life;
        this.controller = controller;
        this.consensus = consensus;
        this.settings = settings;
        this.log = log;
    }

    CompletableFuture<Void> begin(Duration timeOut) {
        loop.deliver(() -> {
            force = loop.clock().nanos() + timeOut.toNanos() / 2;
            loop.after(timeOut.toNanos(), () -> end("its time-out passed while singletons were still running"));
            life.startLeaving();
            check();
        });
        return done;
    }

    private void check() {
        if (done.isDone()) {
            return;
        }
        boolean announced = life.left().isDone();
        boolean forced = !announced && loop.clock().nanos() - force >= 0;
        if (forced) {
            controller.deactivateAll("the server is shutting down and the cluster does not answer");
        }
        if (announced && controller.quiet()) {
            FutureOutcome.of(
                    life.end(), log, _ -> yieldAndEnd(MemberLife.NOTHING_RUNS), _ -> yieldAndEnd("its lease expires"));
        } else if (forced && controller.still()) {
            end("its singletons have stopped, but the cluster did not answer: their leases expire");
        } else {
            loop.after(CHECK_INTERVAL.toNanos(), this::check);
        }
    }

    private void yieldAndEnd(String how) {
        FutureOutcome.of(
                consensus.yieldLeadership(), log, _ -> end(how), fault -> end(how + "; " + fault.getMessage()));
    }

    private void end(String how) {
        if (ended.compareAndSet(false, true)) {
            log.log(ClusterMessages.LEAVING, settings.cluster(), how);
            done.complete(null);
        }
    }
}
