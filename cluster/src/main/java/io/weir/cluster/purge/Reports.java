package io.weir.cluster.purge;

import io.weir.base.Log;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.purges.PurgeCommand;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a member tells the cluster about its cache: one command at a time, until there is no more to tell. On its loop. */
final class Reports {
    /** Between attempts while the cluster does not answer, or this member has not joined it. */
    static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Supplier<@Nullable PurgeCommand> due;
    private final Loop loop;
    private final Log log;
    private @Nullable Proposer proposer;
    private boolean reporting;

    /** @param due what the cluster does not know yet; null: nothing */
    Reports(Supplier<@Nullable PurgeCommand> due, Loop loop, Log log) {
        this.due = due;
        this.loop = loop;
        this.log = log;
    }

    /** The member has started: from now on it may propose. */
    void start(Proposer with) {
        proposer = with;
        report();
    }

    /** There may be something to tell. */
    void report() {
        Proposer with = proposer;
        PurgeCommand command = with == null || reporting ? null : due.get();
        if (with == null || command == null) {
            return;
        }
        reporting = true;
        FutureOutcome.of(
                with.propose(command),
                log,
                answer -> {
                    reporting = false;
                    if (answer.accepted()) {
                        report();
                    } else {
                        // this member has not joined yet, or was removed
                        loop.after(RETRY_NANOS, this::report);
                    }
                },
                _ -> {
                    reporting = false;
                    loop.after(RETRY_NANOS, this::report);
                });
    }
}
