package io.weir.cluster.jdbc;

import io.weir.base.Clock;
import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ReplicatedState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leader election with database leasing: the leader is the holder of the row {@link #LEASE}, which WebLogic calls the
 * cluster master. Two members may briefly both believe they lead; that is harmless because a leader's proposals are
 * conditional. Confined to the log's thread.
 */
final class Coordinator {
    static final String LEASE = "coordinator";

    private final LeaseRows rows;
    private final ReplicatedState state;
    private final LeaseTimes times;
    private final Clock clock;
    private @Nullable Grant held;
    private @Nullable Owner leader;
    private long term;
    private long deadline;
    private long next;

    Coordinator(LeaseRows rows, ReplicatedState state, LeaseTimes times, Clock clock) {
        this.rows = rows;
        this.state = state;
        this.times = times;
        this.clock = clock;
        this.next = clock.nanos();
    }

    boolean leading() {
        return held != null;
    }

    /** The last known leader; null if unknown. */
    @Nullable
    Owner leader() {
        return leader;
    }

    long term() {
        return term;
    }

    /** Renews the row, or tries to acquire it, when due. */
    void turn() throws DatabaseFault {
        long now = clock.nanos();
        if (now - next < 0) {
            return;
        }
        Grant mine = held;
        if (mine == null) {
            next = now + times.check().toNanos();
            seek(now);
        } else {
            next = now + times.check().toNanos();
            if (rows.renew(List.of(mine)).isEmpty()) {
                lost();
            } else {
                deadline = now + times.timeToLive().minus(times.margin()).toNanos();
                next = now + times.renew().toNanos();
            }
        }
    }

    /** Steps down once the row is no longer certainly held; must be called also while the database is unreachable. */
    void checkDeadline() {
        if (held != null && clock.nanos() - deadline >= 0) {
            lost();
        }
    }

    private void seek(long now) throws DatabaseFault {
        LeaseRow row = rows.read(LEASE).orElse(null);
        if (row != null && row.owner() != null && !row.expired()) {
            leader = row.owner();
            term = row.fence().counter();
            return;
        }
        switch (rows.acquire(LEASE)) {
            case Acquisition.Granted granted -> {
                held = granted.grant();
                term = granted.grant().fence().counter();
                deadline = now + times.timeToLive().minus(times.margin()).toNanos();
                next = now + times.renew().toNanos();
                leader = rows.self();
                state.leadership(true, term);
            }
            case Acquisition.Refused refused -> leader = refused.holder();
        }
    }

    private void lost() {
        held = null;
        leader = null;
        state.leadership(false, term);
    }

    /** Releases the row and does not try to acquire it again for one time to live. */
    void yieldToOthers() throws DatabaseFault {
        Grant mine = held;
        if (mine != null) {
            lost();
            next = clock.nanos() + times.timeToLive().toNanos();
            rows.release(mine);
        }
    }
}
