package io.weir.cluster.lease;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.Loop;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One acquisition of a lease, repeated while the outcome of an attempt is unknown. The lease's time is measured from
 * the first attempt; if too much of it has passed, or it was granted to an earlier attempt (an attempt of an
 * acquisition that was abandoned long ago may be granted late), it is renewed before it is handed out. A fence under
 * which it was held before is never handed out again. Confined to the loop; lives for one acquisition.
 */
final class Acquiring {
    private final Loop loop;
    private final LeaseBackend backend;
    private final LeaseTimes times;
    private final LeaseSafety rules;
    private final Log log;
    private final String lease;
    private final Fence last;
    private final long first;
    private final CompletableFuture<Held> result = new CompletableFuture<>();

    /**
     * Creates the acquisition of one lease.
     *
     * @param last the highest fence under which this member ever held it: a grant with it is released first
     */
    Acquiring(Loop loop, LeaseBackend backend, LeaseTimes times, LeaseSafety rules, Log log, String lease, Fence last) {
        this.loop = loop;
        this.backend = backend;
        this.times = times;
        this.rules = rules;
        this.log = log;
        this.lease = lease;
        this.last = last;
        this.first = loop.clock().nanos();
    }

    CompletableFuture<Held> start() {
        attempt();
        return result;
    }

    private void attempt() {
        FutureOutcome.of(backend.acquire(lease), log, this::answered, this::afterFault);
    }

    private void answered(Acquisition answer) {
        switch (answer) {
            case Acquisition.Granted granted -> granted(granted.grant(), granted.again());
            case Acquisition.Refused refused ->
                result.completeExceptionally(new LeaseRefused(refused.reason(), refused.holder()));
        }
    }

    private void granted(Grant grant, boolean again) {
        long now = loop.clock().nanos();
        long deadline = rules.deadline(first, now, times);
        if (grant.fence().compareTo(last) <= 0) {
            giveBack(grant);
        } else if (!again && deadline - now >= times.ttlNanos() / 2) {
            result.complete(new Held(grant, loop.clock(), rules, deadline));
        } else {
            refresh(grant, now);
        }
    }

    private void giveBack(Grant grant) {
        FutureOutcome.of(backend.release(grant), log, _ -> attempt(), this::afterFault);
    }

    private void refresh(Grant grant, long sent) {
        FutureOutcome.of(backend.renew(List.of(grant)), log, still -> refreshed(grant, still, sent), this::afterFault);
    }

    private void refreshed(Grant grant, Set<Grant> still, long sent) {
        if (still.contains(grant)) {
            long deadline = rules.deadline(sent, loop.clock().nanos(), times);
            result.complete(new Held(grant, loop.clock(), rules, deadline));
        } else {
            result.completeExceptionally(new LeaseRefused("it ended while its acquisition was retried", null));
        }
    }

    /** If certainly nothing happened the caller retries; if the outcome is unknown, retries until it is known. */
    private void afterFault(Throwable fault) {
        boolean unknown = fault instanceof LogFault f && f.kind() == LogFault.Kind.UNKNOWN;
        if (unknown && loop.clock().nanos() - first < times.ttlNanos()) {
            loop.after(times.checkNanos(), this::attempt);
        } else {
            result.completeExceptionally(fault);
        }
    }
}
