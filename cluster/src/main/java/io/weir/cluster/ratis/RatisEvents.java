package io.weir.cluster.ratis;

import io.weir.base.Counter;
import io.weir.cluster.stats.ClusterStats;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of Ratis to a log, on any of its threads, even before the log is open. The state is notified of leadership
 * on the state thread. Shared; lives as long as its log.
 */
final class RatisEvents implements RatisMachine.Listener, LeaderRequests.Route {
    /** Callbacks to the log once it is open. */
    interface Opened {
        void leaderChanged();

        /** The leader; Ratis reports a new leader, but not always the loss of one. */
        @Nullable
        RaftPeerId leader();

        /** The current term. */
        long term();

        /** The voters. */
        void voters(List<RaftPeer> voters);
    }

    private final RatisParts parts;
    private final Executor stateThread;
    private final AppliedWaits applied = new AppliedWaits();
    private final Counter leaderChanges;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Opened opened;
    private @Nullable RaftPeerId last;
    private volatile boolean leading;
    private volatile boolean wasIn;
    private boolean notified;

    RatisEvents(RatisParts parts, Executor stateThread) {
        this.parts = parts;
        this.stateThread = stateThread;
        leaderChanges = parts.stats().counter(ClusterStats.LEADER_CHANGES);
    }

    /** Enables callbacks to the log. */
    void open(Opened log) {
        opened = log;
        log.leaderChanged();
        notifyState();
    }

    /** Disables callbacks. */
    void close() {
        ended.set(true);
    }

    LongSupplier appliedIndex() {
        return applied::index;
    }

    boolean leading() {
        return leading;
    }

    @Override
    public @Nullable RaftPeerId leader() {
        Opened log = opened;
        return log == null ? null : log.leader();
    }

    @Override
    public CompletableFuture<Void> reached(long index) {
        return applied.reached(index);
    }

    @Override
    public void applied(long index) {
        applied.upTo(index);
    }

    @Override
    public synchronized void leader(@Nullable RaftPeerId now) {
        if (now != null && !now.equals(last)) {
            last = now;
            leaderChanges.inc();
        }
        if (now == null || !now.toString().equals(parts.self().id())) {
            leading(false);
        }
        Opened log = opened;
        if (log != null) {
            log.leaderChanged();
        }
    }

    @Override
    public void leading(boolean now) {
        leading = now;
        notifyState();
    }

    /** Notifies the state of the current leadership when the task runs: changes in between are coalesced. */
    private void notifyState() {
        try {
            stateThread.execute(() -> {
                boolean now = leading;
                Opened log = opened;
                if (now != notified && log != null) {
                    notified = now;
                    parts.state().leadership(now, log.term());
                }
            });
        } catch (RejectedExecutionException e) {
            // the log is closed: there are no listeners any more
            ended.set(true);
        }
    }

    @Override
    public synchronized void configuration(RaftConfigurationProto configuration) {
        List<RaftPeer> voters = ProtoUtils.toRaftPeers(configuration.getPeersList());
        Opened log = opened;
        if (log != null) {
            log.voters(voters);
        }
        if (ended.get()) {
            return;
        }
        parts.watcher().voters(voters.stream().map(RatisPeer::of).toList());
        boolean in = voters.stream()
                .anyMatch(v -> v.getId().toString().equals(parts.self().id()));
        boolean joint = configuration.getOldPeersCount() > 0;
        // A new member first receives configurations from before it was added.
        if (!in && wasIn && !joint) {
            ended("this member was removed");
        }
        wasIn |= in;
    }

    @Override
    public void snapshot(String how) {
        parts.stats().counter(ClusterStats.SNAPSHOTS, how).inc();
    }

    @Override
    public void ended(String why) {
        if (ended.compareAndSet(false, true)) {
            leading(false);
            parts.watcher().ended(why);
        }
    }
}
