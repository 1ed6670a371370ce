package io.weir.cluster.node;

import io.weir.base.Log;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaseRenewer;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.stats.ClusterMessages;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The member's own life in the cluster: joins, holds the lease that says it is alive, takes it anew after losing it,
 * leaves. Confined to the member's loop.
 */
final class MemberLife implements LeaseRenewer.Holder {
    /** Where it is in that. */
    enum Stage {
        JOINING,
        ACQUIRING,
        ALIVE,
        LEAVING,
        GONE
    }

    private final NodeSettings settings;
    private final Owner self;
    private final Supplier<ClusterState> state;
    private final Proposer proposer;
    private final LeaseRenewer renewer;
    private final BooleanSupplier mayLive;
    private final Log log;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private Stage stage = Stage.JOINING;
    private @Nullable Held held;
    private boolean asked;

    MemberLife(
            NodeSettings settings,
            Owner self,
            Supplier<ClusterState> state,
            Proposer proposer,
            LeaseRenewer renewer,
            BooleanSupplier mayLive,
            Log log) {
        this.settings = settings;
        this.self = self;
        this.state = state;
        this.proposer = proposer;
        this.renewer = renewer;
        this.mayLive = mayLive;
        this.log = log;
    }

    /** Completes when it is alive in the cluster for the first time. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Completes once the cluster knows that it leaves, and moves its singletons. */
    CompletableFuture<Void> left() {
        return left;
    }

    boolean leaving() {
        return stage == Stage.LEAVING || stage == Stage.GONE;
    }

    @Nullable
    Held held() {
        return held;
    }

    /** Does what is next; called again and again. */
    void step() {
        if (asked) {
            return;
        }
        switch (stage) {
            case JOINING -> join();
            case ACQUIRING -> acquire();
            case ALIVE -> stillKnown();
            case LEAVING -> leave();
            case GONE -> {
                // nothing is left to do
            }
        }
    }

    private void join() {
        ask(
                new MemberCommand.Join(
                        self.member(), self.incarnation(), settings.storage(), settings.address(), settings.witness()),
                answer -> {
                    if (answer instanceof Answer.Refused refused) {
                        log.log(ClusterMessages.JOIN_REFUSED, settings.cluster(), self.member(), refused.text());
                    } else {
                        transition(Stage.JOINING, Stage.ACQUIRING, "it joined");
                    }
                });
    }

    private void acquire() {
        if (!mayLive.getAsBoolean()) {
            return;
        }
        asked = true;
        FutureOutcome.of(
                renewer.acquire(Leases.ofMember(self.member()), this),
                log,
                lease -> {
                    asked = false;
                    held = lease;
                    joined.complete(null);
                    transition(Stage.ACQUIRING, Stage.ALIVE, "its lease is granted");
                },
                fault -> {
                    asked = false;
                    if (!known(state.get())) {
                        transition(Stage.ACQUIRING, Stage.JOINING, "it is not known: " + fault.getMessage());
                    }
                });
    }

    private boolean known(ClusterState now) {
        MemberState m = now.member(self.member());
        return m != null && m.incarnation() == self.incarnation();
    }

    private void stillKnown() {
        Held h = held;
        if (h != null && !known(state.get())) {
            renewer.abandon(h);
            held = null;
            transition(Stage.ALIVE, Stage.JOINING, "it was taken out of the cluster");
        }
    }

    /** Begins to leave. */
    void goodbye() {
        if (!leaving()) {
            transition(stage, Stage.LEAVING, "the server shuts down");
            step();
        }
    }

    private void leave() {
        if (!left.isDone()) {
            ask(new MemberCommand.Leave(self.member(), self.incarnation()), _ -> left.complete(null));
        }
    }

    /** Its singletons have stopped: releases the member's lease. */
    CompletableFuture<Boolean> end() {
        transition(stage, Stage.GONE, "its singletons have gone");
        Held h = held;
        held = null;
        return h == null ? CompletableFuture.completedFuture(false) : renewer.release(h);
    }

    @Override
    public void letGo(Held lease, String reason) {
        // the singletons' own leases tell them the same
    }

    @Override
    public void over(Held lease, String reason) {
        if (lease == held) {
            held = null;
            transition(Stage.ALIVE, Stage.ACQUIRING, reason);
        }
    }

    private interface Answered {
        void with(Answer answer);
    }

    private void ask(Command command, Answered then) {
        asked = true;
        FutureOutcome.of(
                proposer.propose(command),
                log,
                answer -> {
                    asked = false;
                    then.with(answer);
                },
                fault -> {
                    asked = false;
                    log.log(ClusterMessages.NOT_PROPOSED, command, fault);
                });
    }

    /**
     * The only place where the stage changes. From another stage than the expected one it is somebody's late answer.
     */
    private void transition(Stage from, Stage next, String reason) {
        if (stage != from) {
            return;
        }
        stage = next;
        log.log(ClusterMessages.MEMBER_STEP, self.member(), from, next, reason);
        step();
    }
}
