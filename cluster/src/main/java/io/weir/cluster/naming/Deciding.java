package io.weir.cluster.naming;

import io.weir.cluster.log.LogFault;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.state.Answer;
import io.weir.cluster.state.Command;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Proposes something and waits until the cluster has decided. What may have been decided already is proposed again, so it
 * must be something of which twice is as good as once. Shared.
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

    Deciding(ClusterNode node) {
        this.node = node;
    }

    /**
     * The cluster's answer.
     *
     * @param wanted whether it is still worth trying again
     */
    Answer decide(Command command, BooleanSupplier wanted) throws Undecided, InterruptedException {
        long waited = 0;
        while (true) {
            Undecided failure;
            try {
                return node.proposer().propose(command).get(PATIENCE, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new Undecided(e);
            } catch (ExecutionException e) {
                failure = new Undecided(e);
                if (e.getCause() instanceof LogFault f && f.kind() == LogFault.Kind.CLOSED) {
                    throw failure;
                }
            }
            waited += PAUSE;
            if (waited > PATIENCE || !wanted.getAsBoolean()) {
                throw failure;
            }
            LockSupport.parkNanos(this, PAUSE);
        }
    }
}
