package io.weir.cluster.lease;

import io.weir.base.Clock;
import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.log.Heard;
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
 * The holder's side of leasing: keeps the leases that this member holds, renews them all in one batch, and knows on
 * this member's monotonic clock until when each is surely held. A lease whose renewals fail is first to be let go (the
 * grace before its end), then it is over. Confined to the member's loop; lives as long as the member.
 */
public final class LeaseRenewer {
    /** Callbacks for a held lease, on the loop. */
    public interface Holder {
        /**
         * Renewals fail and the end is near: what is done under the lease should stop in order. Once until a renewal
         * has recovered, then once again.
         */
        void letGo(Held held, String reason);

        /** It is over without having been released: {@link Held#valid()} is false from here on. Once for each lease. */
        void over(Held held, String reason);
    }

    private static final class Kept {
        final Held held;
        final Holder holder;
        boolean toldToLetGo;

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
    /** By lease, the highest fence handed out: what is granted with it again is a remainder, and given back. */
    private final Map<String, Fence> handedOut = new HashMap<>();

    private @Nullable Cancellable tick;
    private final Heard heard;
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
        this.heard = new Heard(clock);
        stats.gauge(ClusterStats.LEASES_HELD, kept::size);
    }

    public void start() {
        tick = loop.after(times.checkNanos(), this::tick);
    }

    /** No lease is renewed any more; those that are held end by themselves. */
    public void stop() {
        Cancellable waiting = tick;
        tick = null;
        if (waiting != null) {
            waiting.cancel();
        }
    }

    /** Renews at once rather than when it is time: a new leader wants to hear from the living. */
    public void renewNow() {
        if (tick != null && !kept.isEmpty()) {
            renew(clock.nanos());
        }
    }

    /** When what was asked about leases was answered: without a majority, or without the database, nothing is. */
    public Heard heard() {
        return heard;
    }

    /** What this member holds a lease as; null when it does not. From any thread. */
    public @Nullable Held held(String lease) {
        Kept k = kept.get(lease);
        return k == null ? null : k.held;
    }

    /** The leases held now, by name. From any thread. */
    public List<Held> held() {
        return kept.values().stream().map(k -> k.held).toList();
    }

    /**
     * Asks for a lease until the answer is known: an attempt of unknown outcome is repeated for as long as a lease
     * lasts.
     *
     * @param holder gets the callbacks once it is held
     * @return what it is held as; fails with a {@link LeaseRefused}, or a {@code LogFault}
     */
    public CompletableFuture<Held> acquire(String lease, Holder holder) {
        Fence last = handedOut.getOrDefault(lease, Fence.NONE);
        long asked = clock.nanos();
        return new Acquiring(loop, backend, times, rules, log, lease, last)
                .start()
                .whenComplete((_, fault) -> {
                    if (fault == null || fault instanceof LeaseRefused) {
                        heard.answered(asked);
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
     * Gives a lease up: it is not valid from here on.
     *
     * @return whether it was still held; fails with a {@code LogFault}, and then it ends by itself
     */
    public CompletableFuture<Boolean> release(Held held) {
        forget(held);
        return release(held.grant());
    }

    /** Releases a lease that is ours by the state but is not held here: granted to an abandoned attempt. */
    public CompletableFuture<Boolean> release(Grant grant) {
        return backend.release(grant).whenComplete((_, fault) -> {
            if (fault == null) {
                stats.counter(ClusterStats.RELEASED).inc();
            }
        });
    }

    /** Stops renewing a lease and holds it for ended, without telling the holder or the backend. */
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
                look();
            }
        } finally {
            if (tick != null) {
                tick = loop.after(untilNextLook(), this::tick);
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

    /** A check, or less where a lease is to be let go or over before: its holder has no more time than that. */
    private long untilNextLook() {
        long next = times.checkNanos();
        if (!rules.stopsAtDeadline()) {
            return next;
        }
        for (Kept k : kept.values()) {
            long left = k.held.remaining();
            long toLetGo = left - letGoNanos();
            next = Math.min(next, toLetGo > 0 ? toLetGo : left);
        }
        return Math.max(next, SHORTEST_NANOS);
    }

    /** So long before its end a lease that cannot be renewed is let go. */
    private long letGoNanos() {
        return times.graceNanos() - times.marginNanos();
    }

    private void look() {
        for (Kept k : List.copyOf(kept.values())) {
            if (k.held.remaining() <= 0) {
                over(k, "not renewed in time");
            } else if (k.held.remaining() <= letGoNanos()) {
                letGo(k);
            }
        }
    }

    private void letGo(Kept k) {
        if (!k.toldToLetGo) {
            k.toldToLetGo = true;
            tell(() -> k.holder.letGo(k.held, "its lease cannot be renewed"));
        }
    }

    private void over(Kept k, String reason) {
        forget(k.held);
        tell(() -> k.holder.over(k.held, reason));
    }

    /** One holder's fault must not keep the others from hearing. */
    private void tell(Runnable news) {
        try {
            news.run();
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
        heard.answered(sent);
        long answered = clock.nanos();
        stats.histogram(ClusterStats.RENEWAL_TIME).record(answered - sent);
        boolean lost = false;
        for (Kept k : batch) {
            if (k.held.hasEnded()) {
                continue;
            }
            if (still.contains(k.held.grant())) {
                k.held.extend(rules.deadline(sent, answered, times));
                k.toldToLetGo &= k.held.remaining() <= letGoNanos();
            } else {
                lost = true;
                over(k, "the cluster has given it to nobody or to another");
            }
        }
        stats.counter(ClusterStats.RENEWALS, lost ? "lost" : "renewed").inc();
    }
}
