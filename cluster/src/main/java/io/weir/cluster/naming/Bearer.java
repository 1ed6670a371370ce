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
 * In whose name something is bound: a lease, its fence, whether that holds. Immutable.
 *
 * @param activation of the service whose lease it is; null where it is the member's own
 */
record Bearer(
        String lease,
        Fence fence,
        BooleanSupplier valid,
        @Nullable Activation activation) {
    /**
     * That of the activation in which the thread is; else of the service that the object is or was, whose fence is refused then; else of the only one from the
     * object's class loader, or the thread's; else of the member itself.
     *
     * @throws NamingException when it would be the member's, which is not alive in the cluster
     */
    static Bearer of(ClusterNode node, @Nullable Object object) throws NamingException {
        Optional<Activation> any = activation(node, object);
        if (any.isPresent()) {
            return of(any.get());
        }
        Held life = node.life();
        if (life == null) {
            throw new ServiceUnavailableException(
                    "this member is not alive in its cluster, so nothing can be bound in its name");
        }
        return new Bearer(life.lease(), life.fence(), life::valid, null);
    }

    /** The same, where it is an activation's. */
    static Optional<Activation> activation(ClusterNode node, @Nullable Object object) {
        Optional<Activation> found =
                object == null ? Optional.empty() : node.services().of(object);
        return Optional.ofNullable(Activation.current())
                .or(() -> found)
                .or(() -> node.services().of(Thread.currentThread().getContextClassLoader()));
    }

    private static Bearer of(Activation a) {
        return new Bearer(a.lease(), a.fence(), a::valid, a);
    }

    /** Whether its names go soon whatever is decided: the service is being deactivated, or loses its lease. */
    boolean ending() {
        return activation != null && (activation.ending() || activation.lost());
    }

    /** The group that callers must be in; null: none. */
    @Nullable
    String role() {
        return activation == null ? null : activation.spec().properties().get(Exposing.ROLE);
    }

    /** In which calls of what is bound run. */
    Export.Scope scope() {
        return activation == null ? Runnable::run : activation::run;
    }
}
