package io.weir.cluster.state;

import io.weir.base.Stats;
import io.weir.cluster.log.AnswerTracker;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.AnswerCodec;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.stats.ClusterStats;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Submits commands to the log; the futures complete on the member's loop, after the listeners of its
 * {@link StateHolder} were called for the entry. Any thread may propose. Shared.
 */
public final class Proposer {
    private final ConsensusLog log;
    private final Loop loop;
    private final String self;
    private final Stats stats;
    private final AnswerTracker answers;

    /** Creates a proposer that does not count refusals, for tests. */
    public Proposer(ConsensusLog log, Loop loop, String self) {
        this(log, loop, self, new Stats());
    }

    /**
     * Creates the proposer of one member.
     *
     * @param self the default author of commands: {@code member:NAME}
     */
    public Proposer(ConsensusLog log, Loop loop, String self, Stats stats) {
        this.log = log;
        this.loop = loop;
        this.self = self;
        this.stats = stats;
        this.answers = new AnswerTracker(loop.clock());
    }

    /** Proposes on the member's own behalf. Fails with a {@link io.weir.cluster.log.LogFault}. */
    public CompletableFuture<Answer> propose(Command command) {
        return propose(command, self);
    }

    /**
     * Proposes on behalf of an author. A command that exceeds a limit of {@link StateLimits} is refused without being
     * proposed.
     *
     * @param by the operator's name, for the history
     */
    public CompletableFuture<Answer> propose(Command command, String by) {
        byte[] bytes;
        try {
            bytes = CommandCodec.encode(new Proposal(command, by, loop.clock().millis()));
        } catch (IllegalArgumentException bound) {
            String why = String.valueOf(bound.getMessage());
            return onLoop(CompletableFuture.completedFuture(counted(new Answer.Refused(Refusal.MALFORMED, why))));
        }
        long sent = loop.clock().nanos();
        return onLoop(log.submit(bytes).thenApply(b -> {
            answers.answered(sent);
            return counted(AnswerCodec.decode(b));
        }));
    }

    private Answer counted(Answer answer) {
        if (answer instanceof Answer.Refused r) {
            stats.counter(ClusterStats.REFUSED, r.reason().name()).inc();
        }
        return answer;
    }

    /** A linearizable read barrier: once complete, the holder's state contains everything committed before the call. */
    public CompletableFuture<Void> barrier() {
        long sent = loop.clock().nanos();
        return onLoop(log.barrier().thenRun(() -> answers.answered(sent)));
    }

    /** When requests to the log were answered. */
    public AnswerTracker answers() {
        return answers;
    }

    private <T> CompletableFuture<T> onLoop(CompletableFuture<T> from) {
        CompletableFuture<T> to = new CompletableFuture<>();
        var _ = from.whenComplete((value, failure) -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            Runnable finish = cause == null ? () -> to.complete(value) : () -> to.completeExceptionally(cause);
            try {
                loop.deliver(finish);
            } catch (java.util.concurrent.RejectedExecutionException ended) {
                to.completeExceptionally(ended);
            }
        });
        return to;
    }
}
