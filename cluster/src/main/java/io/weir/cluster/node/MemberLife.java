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
 * State machine of this member's participation: joins, holds the member lease, which shows that it is alive, reacquires
 * it after a loss, leaves. Confined to the member's loop.
 */
final class MemberLife implements LeaseRenewer.Holder {
    /** Stages of participation. */
    enum Stage {
        JOINING,
        ACQUIRING,
        ALIVE,
        LEAVING,
        GONE
    }

    /** Why it is gone: its singletons have moved, or stopped where no other member is, or there were none. */
    static final String NOTHING_RUNS = "no singleton runs here any more";

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
    private boolean inFlight;

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

    /** Completes once the departure is committed and the cluster moves its singletons. */
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

    /** Performs the next action of the stage; called periodically. */
    void step() {
        if (inFlight) {
            return;
        }
        switch (stage) {
            case JOINING -> join();
            case ACQUIRING -> acquire();
            case ALIVE -> stillKnown();
            case LEAVING -> leave();
            case GONE -> {
                // nothing to do
            }
        }
    }

    private void join() {
        propose(
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
        inFlight = true;
        FutureOutcome.of(
                renewer.acquire(Leases.ofMember(self.member()), this),
                log,
                lease -> {
                    inFlight = false;
                    held = lease;
                    joined.complete(null);
                    transition(Stage.ACQUIRING, Stage.ALIVE, "its lease is granted");
                },
                fault -> {
                    inFlight = false;
                    if (!known(state.get())) {
                        transition(
                                Stage.ACQUIRING, Stage.JOINING, "it is unknown to the cluster: " + fault.getMessage());
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
            transition(Stage.ALIVE, Stage.JOINING, "it was removed from the cluster");
        }
    }

    /** Starts the departure. */
    void startLeaving() {
        if (!leaving()) {
            transition(stage, Stage.LEAVING, "the server is shutting down");
            step();
        }
    }

    private void leave() {
        if (!left.isDone()) {
            propose(new MemberCommand.Leave(self.member(), self.incarnation()), _ -> left.complete(null));
        }
    }

    /** Releases the member lease once its singletons have stopped. */
    CompletableFuture<Boolean> end() {
        transition(stage, Stage.GONE, NOTHING_RUNS);
        Held h = held;
        held = null;
        return h == null ? CompletableFuture.completedFuture(false) : renewer.release(h);
    }

    @Override
    public void expiring(Held lease, String reason) {
        // the singletons are notified through their leases
    }

    @Override
    public void lost(Held lease, String reason) {
        if (lease == held) {
            held = null;
            transition(Stage.ALIVE, Stage.ACQUIRING, reason);
        }
    }

    private interface AnswerHandler {
        void with(Answer answer);
    }

    private void propose(Command command, AnswerHandler then) {
        inFlight = true;
        FutureOutcome.of(
                proposer.propose(command),
                log,
                answer -> {
                    inFlight = false;
                    then.with(answer);
                },
                fault -> {
                    inFlight = false;
                    log.log(ClusterMessages.NOT_PROPOSED, command, fault);
                });
    }

    /**
     * The only place where the stage changes. Ignored if the stage is not the expected one, because the answer is late.
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
