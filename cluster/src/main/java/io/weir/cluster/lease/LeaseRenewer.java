package io.weir.cluster.lease;

import io.weir.base.Clock;
import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.log.AnswerTracker;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.log.Loop;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The holder's side of leasing: tracks the leases held by this member, renews them all in one batch, and computes on
 * this member's monotonic clock until when each is certainly held. If renewals fail, the holder is first notified that
 * the lease is expiring (the grace period before its end), then that it was lost. Confined to the member's loop; lives
 * as long as the member.
 */
public final class LeaseRenewer {
    /** Callbacks for a held lease, on the loop. */
    public interface Holder {
        /**
         * Renewals fail and the end is near: work under the lease should stop in an orderly way. Called once, and again
         * if renewals recover and then fail again.
         */
        void expiring(Held held, String reason);

        /**
         * It ended without having been released: {@link Held#valid()} is false from now on. Called once for each lease.
         */
        void lost(Held held, String reason);
    }

    private static final class Kept {
        final Held held;
        final Holder holder;
        boolean expiringNotified;

        Kept(Held held, Holder holder) {
            this.held = held;
            this.holder = holder;
        }
    }

    private static final long SHORTEST_NANOS = 1_000_000;

    private final Loop loop;
    private final Clock clock;
    private final LeaseBackend backend;
    private final LeaseTimes times;
    private final LeaseSafety rules;
    private final Stats stats;
    private final Log log;
    private final Map<String, Kept> kept = new ConcurrentSkipListMap<>();
    /**
     * The highest fence handed out, by lease: a repeated grant with it is left over from an earlier attempt and is
     * released.
     */
    private final Map<String, Fence> handedOut = new HashMap<>();

    private @Nullable Cancellable tick;
    private final AnswerTracker answers;
    private long lastSent;
    private boolean lastFailed;
    private int outstanding;

    public LeaseRenewer(Loop loop, LeaseBackend backend, LeaseTimes times, LeaseSafety rules, Stats stats, Log log) {
        this.loop = loop;
        this.clock = loop.clock();
        this.backend = backend;
        this.times = times;
        this.rules = rules;
        this.stats = stats;
        this.log = log;
        this.lastSent = clock.nanos();
        this.answers = new AnswerTracker(clock);
        stats.gauge(ClusterStats.LEASES_HELD, kept::size);
    }

    public void start() {
        tick = loop.after(times.checkNanos(), this::tick);
    }

    /** Stops renewing; leases that are still held expire. */
    public void stop() {
        Cancellable waiting = tick;
        tick = null;
        if (waiting != null) {
            waiting.cancel();
        }
    }

    /** Renews immediately instead of at the next interval: a new leader needs to see which members are alive. */
    public void renewNow() {
        if (tick != null && !kept.isEmpty()) {
            renew(clock.nanos());
        }
    }

    /** When lease requests were answered: without a majority, or without the database, none are. */
    public AnswerTracker answers() {
        return answers;
    }

    /** The held lease of this name; null if this member does not hold it. From any thread. */
    public @Nullable Held held(String lease) {
        Kept k = kept.get(lease);
        return k == null ? null : k.held;
    }

    /** The currently held leases, by name. From any thread. */
    public List<Held> held() {
        return kept.values().stream().map(k -> k.held).toList();
    }

    /**
     * Requests a lease until the answer is known: an attempt with an unknown outcome is repeated for one time to live.
     *
     * @param holder receives the callbacks once it is held
     * @return the held lease; fails with a {@link LeaseRefused}, or a {@code LogFault}
     */
    public CompletableFuture<Held> acquire(String lease, Holder holder) {
        Fence last = handedOut.getOrDefault(lease, Fence.NONE);
        long sent = clock.nanos();
        return new Acquiring(loop, backend, times, rules, log, lease, last)
                .start()
                .whenComplete((_, fault) -> {
                    if (fault == null || fault instanceof LeaseRefused) {
                        answers.answered(sent);
                    }
                })
                .thenApply(held -> keep(held, holder));
    }

    private Held keep(Held held, Holder holder) {
        stats.counter(ClusterStats.ACQUIRED).inc();
        handedOut.put(held.lease(), held.fence());
        kept.put(held.lease(), new Kept(held, holder));
        return held;
    }

    /**
     * Releases a lease: it is not valid from now on.
     *
     * @return whether it was still held; if it fails with a {@code LogFault}, the lease expires
     */
    public CompletableFuture<Boolean> release(Held held) {
        forget(held);
        return release(held.grant());
    }

    /**
     * Releases a lease that the state records as this member's but that is not held here: it was granted to an
     * abandoned attempt.
     */
    public CompletableFuture<Boolean> release(Grant grant) {
        return backend.release(grant).whenComplete((_, fault) -> {
            if (fault == null) {
                stats.counter(ClusterStats.RELEASED).inc();
            }
        });
    }

    /** Stops renewing a lease and treats it as ended, without notifying the holder or the backend. */
    public void abandon(Held held) {
        forget(held);
    }

    private void forget(Held held) {
        held.end();
        Kept k = kept.get(held.lease());
        if (k != null && k.held == held) {
            kept.remove(held.lease());
        }
    }

    private void tick() {
        if (tick == null) {
            return;
        }
        try {
            if (rules.stopsAtDeadline()) {
                checkDeadlines();
            }
        } finally {
            if (tick != null) {
                tick = loop.after(untilNextCheck(), this::tick);
            }
        }
        renewInTime();
    }

    private void renewInTime() {
        long now = clock.nanos();
        long wait = lastFailed ? times.checkNanos() : times.renewNanos();
        boolean room = outstanding == 0 || now - lastSent >= times.renewNanos();
        if (!kept.isEmpty() && room && now - lastSent + times.checkNanos() / 2 >= wait) {
            renew(now);
        }
    }

    /** One check interval, or less if a lease expires earlier, so that its holder gets the full grace period. */
    private long untilNextCheck() {
        long next = times.checkNanos();
        if (!rules.stopsAtDeadline()) {
            return next;
        }
        for (Kept k : kept.values()) {
            long left = k.held.remaining();
            long toNotice = left - noticeNanos();
            next = Math.min(next, toNotice > 0 ? toNotice : left);
        }
        return Math.max(next, SHORTEST_NANOS);
    }

    /** Remaining time at which the holder of a lease that cannot be renewed is notified. */
    private long noticeNanos() {
        return times.graceNanos() - times.marginNanos();
    }

    private void checkDeadlines() {
        for (Kept k : List.copyOf(kept.values())) {
            if (k.held.remaining() <= 0) {
                notifyLost(k, "not renewed in time");
            } else if (k.held.remaining() <= noticeNanos()) {
                notifyExpiring(k);
            }
        }
    }

    private void notifyExpiring(Kept k) {
        if (!k.expiringNotified) {
            k.expiringNotified = true;
            notifyHolder(() -> k.holder.expiring(k.held, "its lease cannot be renewed"));
        }
    }

    private void notifyLost(Kept k, String reason) {
        forget(k.held);
        notifyHolder(() -> k.holder.lost(k.held, reason));
    }

    /** A holder's exception must not prevent the notification of the others. */
    private void notifyHolder(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            log.log(ClusterMessages.UNCAUGHT, "holders of leases", e);
        }
    }

    private void renew(long now) {
        List<Kept> batch = new ArrayList<>(kept.values());
        lastSent = now;
        outstanding++;
        FutureOutcome.of(
                backend.renew(batch.stream().map(k -> k.held.grant()).toList()),
                log,
                still -> renewed(batch, still, now),
                this::failed);
    }

    private void failed(Throwable fault) {
        outstanding--;
        lastFailed = true;
        stats.counter(ClusterStats.RENEWALS, "failed").inc();
        long left =
                kept.values().stream().mapToLong(k -> k.held.remaining()).min().orElse(0);
        log.log(ClusterMessages.RENEWALS_FAIL, backend.self().member(), Duration.ofMillis(left / 1_000_000), fault);
    }

    private void renewed(List<Kept> batch, Set<Grant> still, long sent) {
        outstanding--;
        lastFailed = false;
        answers.answered(sent);
        long answered = clock.nanos();
        stats.histogram(ClusterStats.RENEWAL_TIME).record(answered - sent);
        boolean lost = false;
        for (Kept k : batch) {
            if (k.held.hasEnded()) {
                continue;
            }
            if (still.contains(k.held.grant())) {
                k.held.extend(rules.deadline(sent, answered, times));
                k.expiringNotified &= k.held.remaining() <= noticeNanos();
            } else {
                lost = true;
                notifyLost(k, "the cluster has released it or granted it to another member");
            }
        }
        stats.counter(ClusterStats.RENEWALS, lost ? "lost" : "renewed").inc();
    }
}
