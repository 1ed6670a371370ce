package io.weir.cluster.lease;

import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A leader's watch over leases whose clock a test's hand moves. Confined to the test's thread. */
public final class HandMovedLeader {
    private static final int PATIENCE_SECONDS = 30;

    /** A lease as it looked first, and when. */
    private record Seen(long renewal, Duration at) {}

    private final StateHolder holder;
    private final Proposer proposer;
    private final Duration timeToLive;
    private final Map<String, Seen> seen = new HashMap<>();
    private Duration now = Duration.ZERO;

    public HandMovedLeader(StateHolder holder, Proposer proposer, Duration timeToLive) {
        this.holder = holder;
        this.proposer = proposer;
        this.timeToLive = timeToLive;
    }

    /** Lets time pass, and declares over what was not renewed for its time to live. */
    public void pass(Duration time) throws Exception {
        look();
        now = now.plus(time);
        for (LeaseState l : look()) {
            proposer.propose(new LeaseCommand.Expire(l.name(), l.fence(), l.renewal()))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private List<LeaseState> look() throws Exception {
        proposer.barrier().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return holder.now().leases().values().stream()
                .filter(l -> !l.free() && isOver(l))
                .toList();
    }

    private boolean isOver(LeaseState l) {
        Seen s = seen.get(l.name());
        if (s == null || s.renewal() != l.renewal()) {
            seen.put(l.name(), new Seen(l.renewal(), now));
            return false;
        }
        return now.minus(s.at()).compareTo(timeToLive) > 0;
    }
}
