package io.weir.cluster.lease;

import io.weir.base.Fence;
import io.weir.cluster.log.LogFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A backend that does what the test says and remembers what it was asked. */
final class ScriptedBackend implements LeaseBackend {
    final List<String> asked = new ArrayList<>();
    final Set<Grant> gone = new HashSet<>();
    final List<CompletableFuture<Set<Grant>>> pending = new ArrayList<>();
    LogFault.@Nullable Kind fault;
    boolean slow;
    long next = 1;

    @Nullable
    Grant owned;

    @Override
    public Owner self() {
        return new Owner("a", 1);
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        asked.add("acquire " + lease);
        boolean again = owned != null && owned.lease().equals(lease);
        Grant grant = again ? Objects.requireNonNull(owned) : new Grant(lease, new Fence(1, next++));
        if (fault != LogFault.Kind.NOT_COMMITTED) {
            owned = grant;
        }
        return failing(new Acquisition.Granted(grant, again));
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        asked.add("renew " + grants);
        Set<Grant> still = new HashSet<>(grants);
        still.removeAll(gone);
        if (slow) {
            CompletableFuture<Set<Grant>> f = new CompletableFuture<>();
            pending.add(f);
            return f;
        }
        return failing(still);
    }

    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        asked.add("release " + grant);
        owned = null;
        return failing(true);
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return failing(Lease.never(lease));
    }

    @Override
    public CompletableFuture<List<Lease>> expired() {
        return failing(List.of());
    }

    private <T> CompletableFuture<T> failing(T otherwise) {
        return fault == null
                ? CompletableFuture.completedFuture(otherwise)
                : CompletableFuture.failedFuture(new LogFault(fault, "told to"));
    }

    @Override
    public void close() {
        // nothing is open
    }
}
