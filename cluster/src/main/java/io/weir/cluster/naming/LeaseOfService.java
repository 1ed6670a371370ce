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
 * @param activation whose lease it is
 */
record LeaseOfService(Activation activation) implements ServiceLease {
    /** That of the activation that the calling thread belongs to. */
    static ServiceLease here(ClusterNode node) throws NamingException {
        return new LeaseOfService(Bearer.activation(node, null)
                .orElseThrow(() -> new OperationNotSupportedException(
                        NAME + " is a singleton service's: look it up in activate, or from a thread of the service")));
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
