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

/** This member of the cluster, as its views need it. Shared: called by any thread, and never blocks. */
public interface ClusterAccess {
    /** This member's name. */
    String self();

    /** The cluster's name. */
    String cluster();

    /** local, consensus or database. */
    String leasing();

    /** The state as applied on this member. */
    ClusterState now();

    LogStatus log();

    /**
     * Completes when {@link #now} contains everything that the cluster had decided before the call; fails with a {@code
     * LogFault} if this member cannot know that, as in a minority.
     */
    CompletableFuture<Void> barrier();

    /** What this member waits for before it is in a cluster; empty once it is. */
    String waiting();

    /** Why its log accepts nothing until a restart; empty while it does. */
    default String fault() {
        return "";
    }

    /** Damage found in its log on this disk; null if Weir cannot know it. */
    default @Nullable Damages damages() {
        return null;
    }

    /** The outage during which the cluster does not answer this member; null while it does. */
    default @Nullable Outage outage() {
        return null;
    }

    /** Leases that this member holds, with the nanoseconds until each ends unless renewed. */
    Map<String, Long> remaining();

    /**
     * The same for the leases of all holders, estimated from the renewals that this member saw; empty if it sees none.
     */
    Map<String, Long> estimates();

    /** When the timer fires next; null if never. */
    @Nullable
    Instant next(TimerState timer);

    /** Proposes a change on behalf of an author; fails with a {@code LogFault}. */
    CompletableFuture<Answer> propose(Command command, String by);

    /**
     * Changes the members that keep the log: {@code add} ADDRESS, {@code remove} MEMBER, {@code replace} MEMBER
     * ADDRESS.
     *
     * @param address host:port of a member's weir listener; empty for remove
     * @return what was done, as readable text; fails with a readable reason
     */
    CompletableFuture<String> membership(String what, String member, String address);

    /**
     * Changes what is deployed: {@code deploy}, {@code redeploy}, {@code undeploy} NAME.
     *
     * @param archive is read before this completes; ignored for undeploy
     * @param reason the operator's reason, for the history; may be empty
     * @param name empty for redeploy: the deployment that has the archive's singletons
     * @return what was done; fails with a readable reason
     */
    CompletableFuture<Deployed> deploy(String what, String name, Path archive, String by, String reason);
}
