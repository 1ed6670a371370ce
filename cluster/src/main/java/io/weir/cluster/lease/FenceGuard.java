package io.weir.cluster.lease;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Checks every side effect that Weir performs on this member on behalf of a lease (a bind, a timer's firing, an append
 * to the journal, a call): admits it only with the lease's current fence, and not once that fence was revoked on this
 * member. Commands are checked again when the log applies them. Shared; bounded by the number of leases.
 */
public final class FenceGuard {
    private final Function<String, Fence> current;
    private final LeaseSafety rules;
    private final Stats stats;
    private final Log log;
    private final Map<String, Fence> dead = new ConcurrentHashMap<>();

    /**
     * @param current the fence of a lease in this member's state; {@link Fence#NONE} if it is free
     */
    public FenceGuard(Function<String, Fence> current, LeaseSafety rules, Stats stats, Log log) {
        this.current = current;
        this.rules = rules;
        this.stats = stats;
        this.log = log;
    }

    /**
     * Whether a side effect is admitted. A refusal is counted and logged.
     *
     * @param what bind, fire, call, append
     */
    public boolean admits(String what, String lease, Fence fence) {
        Fence now = current.apply(lease);
        Fence last = dead.get(lease);
        boolean killed = last != null && fence.compareTo(last) <= 0;
        if (rules.accepts(fence, killed ? Fence.NONE : now) && !fence.equals(Fence.NONE)) {
            return true;
        }
        stats.counter(ClusterStats.FENCE_REFUSED, what, ClusterStats.BY_THE_MEMBER)
                .inc();
        log.log(ClusterMessages.FENCE_REFUSED, what, fence, lease, killed ? "dead here" : now);
        return false;
    }

    /** Revokes this fence and all older ones on this member, regardless of the log's state. */
    public void kill(String lease, Fence fence) {
        dead.merge(lease, fence, (a, b) -> a.compareTo(b) >= 0 ? a : b);
    }
}
