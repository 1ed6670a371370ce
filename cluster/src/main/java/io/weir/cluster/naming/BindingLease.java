package io.weir.cluster.naming;

import io.weir.base.Fence;
import io.weir.cluster.lease.Held;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Activation;
import io.weir.wire.invoke.description.Export;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.naming.NamingException;
import javax.naming.ServiceUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The lease under which a name is bound, its fence and validity. Immutable.
 *
 * @param activation the activation of the service that holds the lease; null for the member's lease
 */
record BindingLease(
        String lease,
        Fence fence,
        BooleanSupplier valid,
        @Nullable Activation activation) {
    /**
     * Resolved in this order: the activation in which the thread runs; the service that the object is or was (a former
     * one's fence is refused); the only service from the object's class loader, or the thread's; the member itself.
     *
     * @throws NamingException if it would be the member's lease, but the member is not alive in the cluster
     */
    static BindingLease of(ClusterNode node, @Nullable Object object) throws NamingException {
        Optional<Activation> any = activation(node, object);
        if (any.isPresent()) {
            return of(any.get());
        }
        Held life = node.life();
        if (life == null) {
            throw new ServiceUnavailableException(
                    "this member is not alive in its cluster, so nothing can be bound under its lease");
        }
        return new BindingLease(life.lease(), life.fence(), life::valid, null);
    }

    /** The activation, if the lease is that of an activation. */
    static Optional<Activation> activation(ClusterNode node, @Nullable Object object) {
        Optional<Activation> found =
                object == null ? Optional.empty() : node.services().of(object);
        return Optional.ofNullable(Activation.current())
                .or(() -> found)
                .or(() -> node.services().of(Thread.currentThread().getContextClassLoader()));
    }

    private static BindingLease of(Activation a) {
        return new BindingLease(a.lease(), a.fence(), a::valid, a);
    }

    /** Whether its names are about to be removed: the service is being deactivated, or is losing its lease. */
    boolean ending() {
        return activation != null && (activation.ending() || activation.lost());
    }

    /** The group that callers must belong to; null if unrestricted. */
    @Nullable
    String role() {
        return activation == null ? null : activation.spec().properties().get(Exposing.ROLE);
    }

    /** The scope in which calls of the bound object run. */
    Export.Scope scope() {
        return activation == null ? Runnable::run : activation::run;
    }
}
