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
 * A member's graceful departure: announce it, stop singletons, release the lease, hand over leadership. Confined to the
 * member's loop; lives for one departure.
 */
final class Leaving {
    /** How often it looks whether the singletons have gone: a small part of what a planned move may take. */
    private static final Duration LOOK = Duration.ofMillis(5);

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

    CompletableFuture<Void> begin(Duration patience) {
        loop.deliver(() -> {
            force = loop.clock().nanos() + patience.toNanos() / 2;
            loop.after(patience.toNanos(), () -> end("what still runs is left behind"));
            life.goodbye();
            look();
        });
        return done;
    }

    private void look() {
        if (done.isDone()) {
            return;
        }
        boolean announced = life.left().isDone();
        boolean forced = !announced && loop.clock().nanos() - force >= 0;
        if (forced) {
            controller.letGoAll("the server shuts down and the cluster cannot be notified");
        }
        if (announced && controller.quiet()) {
            FutureOutcome.of(
                    life.end(),
                    log,
                    _ -> yieldAndEnd("its singletons have gone"),
                    _ -> yieldAndEnd("its lease ends by itself"));
        } else if (forced && controller.still()) {
            end("its singletons have ended, and the cluster could not be notified: their leases expire");
        } else {
            loop.after(LOOK.toNanos(), this::look);
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
