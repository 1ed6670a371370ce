package io.weir.cluster.naming;

import io.weir.base.Fence;
import io.weir.cluster.ServiceLease;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Activation;
import java.time.Duration;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;

/**
 * {@link ServiceLease} of one activation. Shared.
 *
 * @param activation the activation that holds the lease
 */
record LeaseOfService(Activation activation) implements ServiceLease {
    /** The lease of the calling thread's activation. */
    static ServiceLease here(ClusterNode node) throws NamingException {
        return new LeaseOfService(BindingLease.activation(node, null)
                .orElseThrow(() -> new OperationNotSupportedException(
                        NAME + " is available to singleton services only: look it up in activate, or from a thread of"
                                + " the service")));
    }

    @Override
    public Fence fence() {
        return activation.fence();
    }

    @Override
    public Duration remaining() {
        return activation.valid() ? Duration.ofNanos(activation.remaining()) : Duration.ZERO;
    }

    @Override
    public boolean held() {
        return activation.valid();
    }

    @Override
    public void whenLost(Runnable listener) {
        activation.whenLost(listener);
    }
}
