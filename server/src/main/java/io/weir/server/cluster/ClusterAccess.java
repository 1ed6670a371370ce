package io.weir.server.cluster;

import io.weir.cluster.deploy.Deployed;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.timers.TimerState;
import io.weir.journal.damage.Damages;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** This member of the cluster, as its views need it. Shared: any thread asks, and nothing is waited for. */
public interface ClusterAccess {
    /** This member's name. */
    String self();

    /** The cluster's name. */
    String cluster();

    /** local, consensus or database. */
    String leasing();

    /** As applied on this member. */
    ClusterState now();

    LogStatus log();

    /**
     * Completes when {@link #now} contains whatever the cluster had decided before the call; fails with a {@code
     * LogFault} where this member cannot know that, as in a minority.
     */
    CompletableFuture<Void> barrier();

    /** What this member waits for before it is in a cluster; empty when it is. */
    String waiting();

    /** Why its log takes nothing until a restart; empty while it does. */
    default String fault() {
        return "";
    }

    /** What was found damaged in its log on this disk; null where that is not Weir's to know. */
    default @Nullable Damages damages() {
        return null;
    }

    /** That the cluster does not answer this member; null while it does. */
    default @Nullable Outage outage() {
        return null;
    }

    /** Leases that this member holds, with the nanoseconds until each ends unless renewed. */
    Map<String, Long> remaining();

    /** The same for all leases, of any holder, by the renewals that this member saw; empty where it sees none. */
    Map<String, Long> estimates();

    /** When the timer fires next; null when it never does. */
    @Nullable
    Instant next(TimerState timer);

    /** Proposes a change on somebody's behalf; fails with a {@code LogFault}. */
    CompletableFuture<Answer> propose(Command command, String by);

    /**
     * Changes who keeps the log: {@code add} ADDRESS, {@code remove} MEMBER, {@code replace} MEMBER ADDRESS.
     *
     * @param address host:port of a member's weir listener; empty for remove
     * @return what was done, for people; fails with a reason for people
     */
    CompletableFuture<String> membership(String what, String member, String address);

    /**
     * Changes what is deployed: {@code deploy}, {@code redeploy}, {@code undeploy} NAME.
     *
     * @param archive is read before this completes; of no account for undeploy
     * @param reason the operator's reason, for the history; may be empty
     * @param name empty for redeploy: of the deployment that has what is in the archive
     * @return what was done; fails with a reason for people
     */
    CompletableFuture<Deployed> deploy(String what, String name, Path archive, String by, String reason);
}
