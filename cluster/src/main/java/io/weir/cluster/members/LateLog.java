package io.weir.cluster.members;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proxy for a log that is not open yet: refuses commands until this member is in a cluster. Shared; lives as long as
 * the membership.
 */
final class LateLog implements ConsensusLog {
    private final Supplier<String> waiting;
    private volatile @Nullable ConsensusLog log;

    LateLog(Supplier<String> waiting) {
        this.waiting = waiting;
    }

    void open(ConsensusLog opened) {
        log = opened;
    }

    private LogFault notYet() {
        return new LogFault(LogFault.Kind.NOT_COMMITTED, "this member has not joined a cluster yet: " + waiting.get());
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] command) {
        ConsensusLog l = log;
        return l == null ? CompletableFuture.failedFuture(notYet()) : l.submit(command);
    }

    @Override
    public CompletableFuture<Void> barrier() {
        ConsensusLog l = log;
        return l == null ? CompletableFuture.failedFuture(notYet()) : l.barrier();
    }

    @Override
    public LogStatus status() {
        ConsensusLog l = log;
        return l == null ? new LogStatus(LogStatus.Role.NONE, null, 0, 0, 0, List.of()) : l.status();
    }

    @Override
    public CompletableFuture<Void> yieldLeadership() {
        ConsensusLog l = log;
        return l == null ? CompletableFuture.completedFuture(null) : l.yieldLeadership();
    }

    /** Closes the log if it is open; the membership closes it as well. */
    @Override
    public void close() {
        ConsensusLog l = log;
        if (l != null) {
            l.close();
        }
    }
}
