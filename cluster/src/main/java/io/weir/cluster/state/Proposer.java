package io.weir.cluster.state;

import io.weir.base.Stats;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.Heard;
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
 * Commands into the log and answers out of it, with the futures completed on the member's loop: after the listeners of
 * its {@link StateHolder} saw the entry. Any thread may propose. Shared.
 */
public final class Proposer {
    private final ConsensusLog log;
    private final Loop loop;
    private final String self;
    private final Stats stats;
    private final Heard heard;

    /** One whose refusals are not counted, for tests. */
    public Proposer(ConsensusLog log, Loop loop, String self) {
        this(log, loop, self, new Stats());
    }

    /**
     * For one member.
     *
     * @param self the author of commands that name no other: {@code member:NAME}
     */
    public Proposer(ConsensusLog log, Loop loop, String self, Stats stats) {
        this.log = log;
        this.loop = loop;
        this.self = self;
        this.stats = stats;
        this.heard = new Heard(loop.clock());
    }

    /** Proposes on the member's own behalf. Fails with a {@link io.weir.cluster.log.LogFault}. */
    public CompletableFuture<Answer> propose(Command command) {
        return propose(command, self);
    }

    /**
     * Proposes on behalf of somebody. What breaks a bound of {@link StateLimits} is refused without being proposed.
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
        long asked = loop.clock().nanos();
        return onLoop(log.submit(bytes).thenApply(b -> {
            heard.answered(asked);
            return counted(AnswerCodec.decode(b));
        }));
    }

    private Answer counted(Answer answer) {
        if (answer instanceof Answer.Refused r) {
            stats.counter(ClusterStats.REFUSED, r.reason().name()).inc();
        }
        return answer;
    }

    /** A linearizable read barrier: then the holder's state contains everything committed before the call. */
    public CompletableFuture<Void> barrier() {
        long asked = loop.clock().nanos();
        return onLoop(log.barrier().thenRun(() -> heard.answered(asked)));
    }

    /** When what was proposed, or asked of the log, was answered. */
    public Heard heard() {
        return heard;
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
