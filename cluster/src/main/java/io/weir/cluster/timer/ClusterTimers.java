package io.weir.cluster.timer;

import io.weir.base.Clock;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerSpec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Operations on cluster-wide timers for the configuration and operators, on any member. Shared. */
public final class ClusterTimers {
    private final Supplier<ClusterState> state;
    private final Proposer proposer;
    private final Clock clock;

    public ClusterTimers(Supplier<ClusterState> state, Proposer proposer, Clock clock) {
        this.state = state;
        this.proposer = proposer;
        this.clock = clock;
    }

    /**
     * Defines a timer; idempotent. A new timer, or one whose schedule changed, starts now.
     *
     * @throws IllegalArgumentException if its schedule or zone is invalid
     */
    public CompletableFuture<Answer> define(TimerSpec timer, String by) {
        Schedule.parse(timer.schedule(), timer.zone());
        return proposer.propose(new TimerCommand.DefineTimer(timer, clock.millis()), by);
    }

    public CompletableFuture<Answer> remove(String id, String by) {
        return proposer.propose(new TimerCommand.RemoveTimer(id), by);
    }

    public CompletableFuture<Answer> pause(String id, String by) {
        return proposer.propose(new TimerCommand.PauseTimer(id), by);
    }

    /** Firings missed while paused are handled by the misfire policy. */
    public CompletableFuture<Answer> resume(String id, String by) {
        return proposer.propose(new TimerCommand.ResumeTimer(id), by);
    }

    /** Requests one extra firing, also of a paused timer; executed by the member that fires the timers. */
    public CompletableFuture<Answer> fireNow(String id, String by) {
        return proposer.propose(new TimerCommand.FireNow(id, clock.millis()), by);
    }

    /** All timers, with their last and next firings. */
    public List<TimerView> list() {
        return TimerView.of(state.get());
    }
}
