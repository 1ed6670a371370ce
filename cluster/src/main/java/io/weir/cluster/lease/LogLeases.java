package io.weir.cluster.lease;

import io.weir.cluster.log.LogFault;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseState;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Leases in the consensus log: a fence consists of the epoch and the index of the entry that granted the lease.
 * Confined to the member's loop.
 */
public final class LogLeases implements LeaseBackend {
    private final Owner self;
    private final Proposer proposer;
    private final Supplier<ClusterState> state;
    private long request;
    private boolean closed;

    /**
     * Creates the backend of one incarnation of a member.
     *
     * @param state as applied on this member
     */
    public LogLeases(Owner self, Proposer proposer, Supplier<ClusterState> state) {
        this.self = self;
        this.proposer = proposer;
        this.state = state;
    }

    @Override
    public Owner self() {
        return self;
    }

    @Override
    public CompletableFuture<Acquisition> acquire(String lease) {
        long requestId = ++request;
        return propose(new LeaseCommand.Acquire(lease, self.member(), self.incarnation(), requestId))
                .thenApply(answer -> acquisition(lease, requestId, answer));
    }

    private Acquisition acquisition(String lease, long requestId, Answer answer) {
        return switch (answer) {
            case Answer.Granted granted -> {
                LeaseState l = state.get().lease(lease);
                boolean byThis =
                        l != null && l.request() == requestId && l.fence().equals(granted.fence());
                yield new Acquisition.Granted(new Grant(lease, granted.fence()), !byThis);
            }
            case Answer.HeldBy held ->
                new Acquisition.Refused(new Owner(held.owner(), held.incarnation()), "it is held by " + held.owner());
            case Answer.Refused refused -> new Acquisition.Refused(null, refused.text());
            case Answer.Done _, Answer.Renewed _ ->
                throw new IllegalStateException("unexpected answer to an acquisition: " + answer);
        };
    }

    @Override
    public CompletableFuture<Set<Grant>> renew(Collection<Grant> grants) {
        List<LeaseRef> refs =
                grants.stream().map(g -> new LeaseRef(g.lease(), g.fence())).toList();
        return propose(new LeaseCommand.Renew(self.member(), self.incarnation(), refs))
                .thenApply(answer -> still(grants, answer));
    }

    private static Set<Grant> still(Collection<Grant> grants, Answer answer) {
        return switch (answer) {
            case Answer.Renewed renewed -> {
                Set<Grant> still = new HashSet<>(grants);
                renewed.lost().forEach(ref -> still.remove(new Grant(ref.lease(), ref.fence())));
                yield still;
            }
            case Answer.Refused refused when refused.reason() == Refusal.STALE_INCARNATION -> Set.of();
            case Answer.Refused refused when refused.reason() == Refusal.UNKNOWN_NAME -> Set.of();
            default -> throw new IllegalStateException("renewal was refused: " + answer);
        };
    }

    @Override
    public CompletableFuture<Boolean> release(Grant grant) {
        return propose(new LeaseCommand.Release(grant.lease(), grant.fence())).thenApply(Answer::accepted);
    }

    @Override
    public CompletableFuture<Lease> read(String lease) {
        return (closed ? CompletableFuture.<Void>failedFuture(closedFault()) : proposer.barrier())
                .thenApply(_ -> lease(lease));
    }

    private Lease lease(String name) {
        LeaseState l = state.get().lease(name);
        if (l == null) {
            return Lease.never(name);
        }
        String owner = l.owner();
        return new Lease(
                name,
                owner == null ? null : new Owner(owner, l.incarnation()),
                l.fence(),
                l.renewal(),
                l.transitions());
    }

    @Override
    public CompletableFuture<List<Lease>> expired() {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public void close() {
        // the log is closed by its owner
        closed = true;
    }

    private CompletableFuture<Answer> propose(LeaseCommand command) {
        return closed ? CompletableFuture.failedFuture(closedFault()) : proposer.propose(command);
    }

    private static LogFault closedFault() {
        return new LogFault(LogFault.Kind.CLOSED, "this member's leases are closed");
    }
}
