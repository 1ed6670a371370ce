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
 * Proposes something and waits until the cluster has decided. What may have been decided already is proposed again, so
 * it must be something of which twice is as good as once. On behalf of a service it waits no longer than the service's
 * lease has time for. Shared.
 */
final class Deciding {
    /** How long the cluster may take to decide. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    /** Nobody knows whether it was decided. */
    static final class Undecided extends Exception {
        private static final long serialVersionUID = 1L;

        Undecided(Throwable cause) {
            super("the cluster did not decide in time, perhaps it has no majority or no leader", cause);
        }
    }

    private final ClusterNode node;
    private final Clock clock;

    Deciding(ClusterNode node, Clock clock) {
        this.node = node;
        this.clock = clock;
    }

    /** Proposes without waiting for what becomes of it. */
    void propose(Command command) {
        var _ = node.proposer().propose(command);
    }

    /**
     * The cluster's answer.
     *
     * @param wanted whether it is still worth trying again
     * @param service on whose behalf; null for the member's
     */
    Answer decide(Command command, BooleanSupplier wanted, @Nullable Activation service)
            throws Undecided, InterruptedException {
        long end = clock.nanos() + PATIENCE;
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
            boolean late = end - clock.nanos() <= PAUSE;
            boolean losing = service != null && service.lost();
            if (late || losing || !wanted.getAsBoolean()) {
                throw failure;
            }
            LockSupport.parkNanos(this, PAUSE);
        }
    }

    /**
     * Waits for something, on a service's behalf only while its lease holds; from when that is being lost for half of
     * what is left of it, so that the service has the other half.
     *
     * @param nanos how long at most; 0 or less: only what is there already is taken
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
