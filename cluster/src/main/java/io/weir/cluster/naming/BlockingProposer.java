package io.weir.cluster.naming;

import io.weir.base.Clock;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Proposes a command and waits until it is committed. A command with an unknown outcome is proposed again, so it must
 * be idempotent. On behalf of a service the wait is bounded by the service's lease. Shared.
 */
final class BlockingProposer {
    /** Time-out of a decision. */
    private static final long TIME_OUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The outcome of the command is unknown. */
    static final class Undecided extends Exception {
        private static final long serialVersionUID = 1L;

        Undecided(Throwable cause) {
            super("the cluster did not decide in time, perhaps it has no majority or no leader", cause);
        }
    }

    private final ClusterNode node;
    private final Clock clock;

    BlockingProposer(ClusterNode node, Clock clock) {
        this.node = node;
        this.clock = clock;
    }

    /** Proposes without waiting for the outcome. */
    void propose(Command command) {
        var _ = node.proposer().propose(command);
    }

    /**
     * The cluster's answer.
     *
     * @param wanted whether a retry is still useful
     * @param service the service on whose behalf the command is proposed; null for the member
     */
    Answer decide(Command command, BooleanSupplier wanted, @Nullable Activation service)
            throws Undecided, InterruptedException {
        long end = clock.nanos() + TIME_OUT_NANOS;
        while (true) {
            Undecided failure;
            try {
                return within(node.proposer().propose(command), end - clock.nanos(), service);
            } catch (TimeoutException e) {
                throw new Undecided(e);
            } catch (ExecutionException e) {
                failure = new Undecided(e);
                if (e.getCause() instanceof LogFault f && f.kind() == LogFault.Kind.CLOSED) {
                    throw failure;
                }
            }
            boolean late = end - clock.nanos() <= RETRY_NANOS;
            boolean losing = service != null && service.lost();
            if (late || losing || !wanted.getAsBoolean()) {
                throw failure;
            }
            LockSupport.parkNanos(this, RETRY_NANOS);
        }
    }

    /**
     * Waits for a future; on behalf of a service only while its lease is held. Once the lease is being lost, waits for
     * at most half of its remaining time, so that the service has the other half.
     *
     * @param nanos time-out; 0 or less: does not wait
     */
    static <T> T within(CompletableFuture<T> what, long nanos, @Nullable Activation service)
            throws InterruptedException, ExecutionException, TimeoutException {
        long most = Math.max(0, nanos);
        if (service == null) {
            return what.get(most, TimeUnit.NANOSECONDS);
        }
        if (!service.lost()) {
            try {
                var _ = CompletableFuture.anyOf(what, service.loss())
                        .get(Math.min(most, service.remaining()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                // reported below: the awaited step failed
            }
        }
        return what.get(what.isDone() ? 0 : Math.min(most, service.remaining() / 2), TimeUnit.NANOSECONDS);
    }
}
