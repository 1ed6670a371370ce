package io.weir.cluster.purge;

import io.weir.base.Log;
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
    private final String self;
    private final String address;
    private final Consumer<List<CacheMember>> changed;
    private final Loop loop;
    private final Reports reports;
    private ClusterState seen = ClusterState.EMPTY;
    private List<CacheMember> told = List.of();
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
        this.reports = new Reports(this::due, loop, log);
    }

    /** The member has started: from now on it may propose. From any thread. */
    public void start(Proposer with) {
        loop.execute(() -> reports.start(with));
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
        reports.report();
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

    private @Nullable PurgeCommand due() {
        String known = seen.purges().addresses().getOrDefault(self, "");
        boolean told = known.equals(address) || seen.member(self) == null;
        return told || closed ? null : new PurgeCommand.Serves(self, address);
    }

    /** Stops following. */
    public void close() {
        closed = true;
    }
}
