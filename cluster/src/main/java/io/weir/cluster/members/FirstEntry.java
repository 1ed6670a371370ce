package io.weir.cluster.members;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.Loop;
import java.util.concurrent.TimeUnit;

/**
 * Delays a newly formed cluster until all of its first voters have written an entry. The log does not count votes of a
 * member whose log is empty, because it looks like a lost disk (RATIS-1995): while the third voter still opens its log,
 * the first failure among the other two would stop the cluster until the failed one is back. Confined to the loop;
 * lives until all have the entry.
 */
final class FirstEntry {
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /**
     * Number of election time-outs after which a missing voter may be gone for good: the others start without
     * redundancy.
     */
    private static final int ELECTIONS = 10;

    private final Loop loop;
    private final ConsensusLog log;
    private final Runnable then;
    private final long deadline;

    private FirstEntry(MembershipParts parts, ConsensusLog log, Runnable then) {
        loop = parts.loop();
        this.log = log;
        this.then = then;
        deadline = loop.clock().nanos()
                + ELECTIONS * parts.config().log().electionTimeOut().toNanos();
    }

    /** Runs the task once all have an entry. */
    static void await(MembershipParts parts, ConsensusLog log, Runnable then) {
        new FirstEntry(parts, log, then).check();
    }

    private void check() {
        if (everywhere(log.status()) || loop.clock().nanos() - deadline >= 0) {
            then.run();
        } else {
            var _ = loop.after(CHECK_NANOS, this::check);
        }
    }

    /** Only the leader knows the others' progress; a follower proceeds when it has applied an entry itself. */
    static boolean everywhere(LogStatus status) {
        return switch (status.role()) {
            case LEADER ->
                status.committed() >= 0
                        && status.peers().stream().allMatch(p -> p.lag() >= 0 && p.lag() <= status.committed());
            case FOLLOWER -> status.applied() >= 0;
            case CANDIDATE, NONE -> false;
        };
    }
}
