package io.weir.cluster.log;

import io.weir.journal.damage.Damages;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A log of commands that all members apply in the same order: one local file for a cluster of one, Raft, or a table of
 * a database. Opened with a {@link ReplicatedState}. Futures complete on a thread of the log's choice, which must not
 * be blocked; no call blocks. The number of outstanding requests is bounded, and each has a time-out. Shared.
 */
public interface ConsensusLog extends AutoCloseable {
    /**
     * Proposes a command. Completes with the state machine's answer once it is committed <em>and</em> applied on this
     * member, or with a {@link LogFault}: not committed (certain; also if too many are outstanding), unknown (after a
     * time-out: it may have been committed, or may be later), closed. A retried command may be applied twice, so
     * commands are conditional or idempotent.
     */
    CompletableFuture<byte[]> submit(byte[] command);

    /**
     * A linearizable read: completes when this member has applied everything that was committed anywhere before the call; or
     * with a {@link LogFault}.
     */
    CompletableFuture<Void> barrier();

    LogStatus status();

    /**
     * Why it accepts no commands until this process is restarted, including the remedy; empty while it accepts them.
     */
    default String fault() {
        return "";
    }

    /** Damage found in it on this member's disk; null if Weir does not store it. */
    default @Nullable Damages damages() {
        return null;
    }

    /** Transfers leadership to another member if this member is the leader; completes immediately otherwise. */
    CompletableFuture<Void> yieldLeadership();

    /** Stops participating. Outstanding requests complete with {@link LogFault.Kind#CLOSED}. */
    @Override
    void close();
}
