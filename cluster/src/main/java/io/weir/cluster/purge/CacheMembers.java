package io.weir.cluster.purge;

import io.weir.base.Log;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.purges.PurgeCommand;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the cluster where this member's cache answers the others, and this member's proxy which live members have such
 * an address. Called on the member's loop; lives as long as the member.
 */
public final class CacheMembers implements StateListener {
    private static final long RETRY_NANOS = 1_000_000_000;

    private final String self;
    private final String address;
    private final Consumer<List<CacheMember>> changed;
    private final Loop loop;
    private final Log log;
    private ClusterState seen = ClusterState.EMPTY;
    private List<CacheMember> told = List.of();
    private @Nullable Proposer proposer;
    private boolean reporting;
    private volatile boolean closed;

    /**
     * Does nothing before the member starts.
     *
     * @param address host:port at which the others reach this member's cache; empty: it answers none
     * @param changed called with the live members, sorted by name; this one included
     */
    public CacheMembers(String self, String address, Consumer<List<CacheMember>> changed, Loop loop, Log log) {
        this.self = self;
        this.address = address;
        this.changed = changed;
        this.loop = loop;
        this.log = log;
    }

    /** The member has started: from now on it may propose. From any thread. */
    public void start(Proposer with) {
        loop.execute(() -> {
            proposer = with;
            report();
        });
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        now(after);
    }

    @Override
    public void restored(ClusterState now) {
        now(now);
    }

    private void now(ClusterState now) {
        seen = now;
        report();
        // most entries renew leases, and the same members stay
        List<CacheMember> alive = now.purges().addresses().entrySet().stream()
                .filter(e -> now.alive(e.getKey()))
                .map(e -> new CacheMember(e.getKey(), e.getValue()))
                .toList();
        if (!alive.equals(told) && !closed) {
            told = alive;
            changed.accept(alive);
        }
    }

    /** One proposal at a time, until the cluster knows the address. */
    private void report() {
        Proposer with = proposer;
        String known = seen.purges().addresses().getOrDefault(self, "");
        if (with == null || reporting || closed || known.equals(address) || seen.member(self) == null) {
            return;
        }
        reporting = true;
        FutureOutcome.of(
                with.propose(new PurgeCommand.Serves(self, address)),
                log,
                answer -> {
                    reporting = false;
                    if (answer.accepted()) {
                        report();
                    } else {
                        loop.after(RETRY_NANOS, this::report);
                    }
                },
                _ -> {
                    reporting = false;
                    loop.after(RETRY_NANOS, this::report);
                });
    }

    /** Stops following. */
    public void close() {
        closed = true;
    }
}
