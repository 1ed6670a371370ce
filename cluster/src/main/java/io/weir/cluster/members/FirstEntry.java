package io.weir.cluster.members;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.Loop;
import java.util.concurrent.TimeUnit;

/**
 * Holds a newly formed cluster back until all of its first voters have written an entry. The log does not count votes
 * of a member whose log is empty, for that is how a lost disk looks (RATIS-1995): while the third voter still opens its
 * log, the first death among the other two would stop the cluster until the dead one is back. Confined to the loop;
 * lives until all have it.
 */
final class FirstEntry {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** After so many election time-outs a missing voter may be gone for good: the others begin, without redundancy. */
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

    /** Runs the task when all have an entry. */
    static void await(MembershipParts parts, ConsensusLog log, Runnable then) {
        new FirstEntry(parts, log, then).look();
    }

    private void look() {
        if (everywhere(log.status()) || loop.clock().nanos() - deadline >= 0) {
            then.run();
        } else {
            var _ = loop.after(LOOK_NANOS, this::look);
        }
    }

    /** The leader alone knows of the others; who follows goes on with it. */
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
