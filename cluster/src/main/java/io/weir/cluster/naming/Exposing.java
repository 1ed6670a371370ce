package io.weir.cluster.naming;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceSource;
import io.weir.cluster.state.singletons.SingletonSpec;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Binds singletons under the name given by their property {@value #NAME} once they are activated, and unbinds them
 * before they are deactivated; so their classes need no JNDI code. Shared.
 */
public final class Exposing implements ServiceSource {
    /** Property: the name in the tree. */
    public static final String NAME = "exposed-as";

    /** Property: the group that callers of the singleton's bindings must belong to. */
    public static final String ROLE = "call-role";

    private final ServiceSource source;
    private final ClusterNaming naming;

    /** Exposes the services of another source. */
    public Exposing(ServiceSource source, ClusterNaming naming) {
        this.source = source;
        this.naming = naming;
    }

    @Override
    public ServiceObject create(SingletonSpec spec) throws ServiceFault, InterruptedException {
        ServiceObject made = source.create(spec);
        String name = spec.properties().get(NAME);
        return name == null || name.isEmpty() ? made : new ServiceObject(new Exposed(name, made), made.instance());
    }

    @Override
    public void closed(ServiceObject object) {
        source.closed(object);
    }

    /** A service and its name. Called within its activation, by one thread at a time. */
    private final class Exposed implements SingletonService {
        private final String name;
        private final ServiceObject made;

        Exposed(String name, ServiceObject made) {
            this.name = name;
            this.made = made;
        }

        @Override
        public void activate(Fence fence) throws Exception {
            made.service().activate(fence);
            try {
                naming.binder().bind(name, made.instance(), true);
            } catch (NamingException e) {
                undo(e);
                throw e;
            }
        }

        private void undo(NamingException why) {
            // an interrupt of the bind must not interrupt the deactivation
            boolean interrupted = Thread.interrupted();
            try {
                made.service().deactivate();
            } catch (Exception e) {
                // reported as a suppressed exception
                why.addSuppressed(e);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void deactivate() throws Exception {
            @Nullable Exception unbinding = null;
            try {
                // returns immediately: the export is removed here, even if the cluster cannot be reached
                naming.binder().unbind(name);
            } catch (NamingException | RuntimeException e) {
                unbinding = e;
            }
            made.service().deactivate();
            if (unbinding != null) {
                throw unbinding;
            }
        }
    }
}
