package io.weir.cluster.node;

import io.weir.base.Log;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Defines singletons one after the other, retrying each until the cluster has answered. Confined to the member's loop;
 * lives until the last is answered, or the member is closed.
 */
final class Definer {
    private final Proposer proposer;
    private final Loop loop;
    private final Duration retryDelay;
    private final BooleanSupplier closed;
    private final Log log;
    private final List<SingletonSpec> specs;
    private final List<String> refused = new ArrayList<>();
    private final CompletableFuture<List<String>> done = new CompletableFuture<>();

    /** @param retryDelay delay before an unanswered definition is proposed again */
    Definer(
            Proposer proposer,
            Loop loop,
            Duration retryDelay,
            BooleanSupplier closed,
            Log log,
            List<SingletonSpec> specs) {
        this.proposer = proposer;
        this.loop = loop;
        this.retryDelay = retryDelay;
        this.closed = closed;
        this.log = log;
        this.specs = List.copyOf(specs);
    }

    /** Starts; from any thread. Completes with the reasons of refused definitions. */
    CompletableFuture<List<String>> start() {
        loop.execute(() -> define(0));
        return done;
    }

    private void define(int next) {
        if (next == specs.size() || closed.getAsBoolean()) {
            done.complete(refused);
            return;
        }
        FutureOutcome.of(
                proposer.propose(new SingletonCommand.Define(specs.get(next))),
                log,
                answer -> {
                    if (answer instanceof Answer.Refused r) {
                        refused.add(specs.get(next).name() + ": " + r.text());
                    }
                    define(next + 1);
                },
                _ -> loop.after(retryDelay.toNanos(), () -> define(next)));
    }
}
