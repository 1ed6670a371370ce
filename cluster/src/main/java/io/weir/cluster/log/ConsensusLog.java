package io.weir.cluster.log;

import io.weir.journal.damage.Damages;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A log of commands that all members apply in the same order: one local file for a cluster of one, Raft, or a table of a
 * database. Opened with a {@link ReplicatedState}. Futures complete on a thread of the log's choice, which must not be
 * blocked; no call blocks. The number outstanding is bounded and each has a time-out. Shared.
 */
public interface ConsensusLog extends AutoCloseable {
    /**
     * Proposes a command. Completes with the state machine's answer once it is committed <em>and</em> applied on this
     * member; or with a {@link LogFault}: not committed (surely; also when too many are outstanding), unknown (it may be
     * committed, also later, after a time-out), closed. A retried command may be applied twice, so commands are conditional
     * or idempotent.
     */
    CompletableFuture<byte[]> submit(byte[] command);

    /**
     * A linearizable read: completes when this member has applied everything that was committed anywhere before the call; or
     * with a {@link LogFault}.
     */
    CompletableFuture<Void> barrier();

    LogStatus status();

    /** Why it takes no command until this process is started again, what is to be done included; empty while it does. */
    default String fault() {
        return "";
    }

    /** What was found damaged in it on this member's disk; null where that is not Weir's to know. */
    default @Nullable Damages damages() {
        return null;
    }

    /** Hands leadership to another where the log has leaders and this member is it; completes at once otherwise. */
    CompletableFuture<Void> yieldLeadership();

    /** Stops taking part. What is outstanding completes with {@link LogFault.Kind#CLOSED}. */
    @Override
    void close();
}
