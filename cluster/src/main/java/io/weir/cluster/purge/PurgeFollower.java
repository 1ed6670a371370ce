package io.weir.cluster.purge;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.log.Loop;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.purges.Purge;
import io.weir.cluster.state.purges.PurgeCommand;
import io.weir.cluster.state.purges.PurgeLog;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Applies the cluster's purges to this member's cache, in the order of the log, and tells the cluster how far it is.
 * What the cache kept from before the start is used only when the cluster has confirmed that no purge is missing. The
 * caches of this member's other processes follow through this one, and a number is reported when all have applied it.
 * Listener on the member's loop; the cache's work runs on its own thread, because it may block. Shared.
 */
public final class PurgeFollower implements StateListener {
    /** Callers of {@link #everywhere}, at most: they are requests of operators. */
    private static final int WAITS = 1_000;

    private final String self;
    private final PurgedCache cache;
    private final OtherCaches others;
    private final Executor thread;
    private final Loop loop;
    private final Reports reports;
    private final Stats stats;
    private final Log log;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final List<Wait> waits = new ArrayList<>();
    private volatile PurgeLog latest = PurgeLog.EMPTY;
    private volatile PurgePosition applied = PurgePosition.NONE;
    private volatile Set<String> members = Set.of();
    private volatile boolean current;
    /** Confined to the cache's thread. */
    private boolean began;

    private @Nullable Proposer proposer;
    /** Before that, this member's state may be older than what its cache has followed. */
    private boolean confirmed;

    private ClusterState seen = ClusterState.EMPTY;
    private volatile boolean closed;

    private long pending() {
        PurgeLog purges = latest;
        return members.stream().filter(m -> !purges.upToDate(m)).count();
    }

    private record Wait(long number, CompletableFuture<Void> done) {}

    /**
     * Follows nothing yet.
     *
     * @param self this member's name
     * @param others a purge is reported when they have applied it, too
     * @param thread runs the cache's work, one task after the other; at most two wait
     */
    public PurgeFollower(
            String self, PurgedCache cache, OtherCaches others, Executor thread, Loop loop, Stats stats, Log log) {
        this.self = self;
        this.cache = cache;
        this.others = others;
        this.thread = thread;
        this.loop = loop;
        this.stats = stats;
        this.log = log;
        this.reports = new Reports(this::due, loop, log);
        stats.gauge(ClusterStats.PURGES_AWAITED, () -> current && others.current() ? 0 : 1);
        stats.gauge(ClusterStats.PURGES_PENDING, this::pending);
        stats.counter(ClusterStats.PURGED);
        stats.counter(ClusterStats.PURGES_MISSED);
    }

    /** The member has started: from now on it may propose. From any thread. */
    public void start(Proposer with) {
        loop.execute(() -> {
            proposer = with;
            others.start(reports::report);
            confirm();
            reports.start(with);
        });
    }

    /** Asks the cluster until it has confirmed that this member's state is up to date. */
    private void confirm() {
        Proposer with = proposer;
        if (with == null || closed) {
            return;
        }
        FutureOutcome.of(
                with.barrier(),
                log,
                // the state that the cluster confirms was delivered to this listener before
                _ -> {
                    confirmed = true;
                    work(() -> {
                        follow();
                        current = true;
                        cache.current();
                    });
                },
                _ -> loop.after(Reports.RETRY_NANOS, this::confirm));
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        changed(after);
    }

    @Override
    public void restored(ClusterState now) {
        changed(now);
    }

    private void changed(ClusterState now) {
        seen = now;
        members = now.members().keySet();
        PurgeLog purges = now.purges();
        boolean more = purges.last() != latest.last() || purges.id() != latest.id();
        latest = purges;
        if (more && confirmed && scheduled.compareAndSet(false, true)) {
            work(() -> {
                scheduled.set(false);
                follow();
            });
        }
        reports.report();
        waits.removeIf(w -> {
            boolean done = everywhere(now, w.number());
            if (done) {
                w.done().complete(null);
            }
            return done || w.done().isDone();
        });
    }

    private void work(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException _) {
            // the server stops
        }
    }

    /** How far this member's cache is. From any thread. */
    public PurgePosition position() {
        return applied;
    }

    /** Brings the cache to the latest known purge. On the cache's thread. */
    private void follow() {
        if (closed) {
            return;
        }
        if (!began) {
            began = true;
            applied = cache.position();
        }
        PurgeLog to = latest;
        PurgePosition from = applied;
        List<Purge> missed = to.missed(from.log(), from.number());
        if (missed == null) {
            cache.purgeAll();
            stats.counter(ClusterStats.PURGES_MISSED).inc();
            log.log(ClusterMessages.PURGES_MISSED, from.number(), to.last());
        } else {
            for (Purge purge : missed) {
                if (purge.all()) {
                    cache.purgeAll();
                } else {
                    cache.purge(purge.url());
                }
            }
            stats.counter(ClusterStats.PURGED).add(missed.size());
        }
        PurgePosition reached = new PurgePosition(to.id(), to.last());
        if (!reached.equals(from)) {
            cache.reached(reached);
            applied = reached;
        }
        try {
            loop.deliver(() -> {
                others.follow(to);
                reports.report();
            });
        } catch (RejectedExecutionException _) {
            // the server stops
        }
    }

    /** How far this member is with all its processes, if the cluster does not know it. */
    private @Nullable PurgeCommand due() {
        PurgeLog purges = latest;
        PurgePosition here = others.least(applied);
        boolean news =
                here.log() == purges.id() && here.number() > purges.applied().getOrDefault(self, 0L);
        return closed || purges.upToDate(self) || !news
                ? null
                : new PurgeCommand.Applied(self, here.log(), here.number());
    }

    /**
     * Completes when all members that are alive have applied the purge. From any thread; the caller sets the time-out.
     */
    public CompletableFuture<Void> everywhere(long number) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            waits.removeIf(w -> w.done().isDone());
            if (everywhere(seen, number)) {
                done.complete(null);
            } else if (waits.size() >= WAITS) {
                done.completeExceptionally(new RejectedExecutionException("too many purges are waited for"));
            } else {
                waits.add(new Wait(number, done));
            }
        });
        return done;
    }

    private static boolean everywhere(ClusterState now, long number) {
        return now.members().keySet().stream()
                .filter(now::alive)
                .allMatch(m -> now.purges().applied().getOrDefault(m, 0L) >= number);
    }

    /** Stops following. */
    public void close() {
        closed = true;
        others.close();
    }
}
