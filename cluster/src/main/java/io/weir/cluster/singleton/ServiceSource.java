package io.weir.cluster.singleton;

import io.weir.cluster.state.singletons.SingletonSpec;

/** Creates service instances: from the server's lib folder, a hot deployment, or a test. Shared. */
@FunctionalInterface
public interface ServiceSource {
    /**
     * Creates an instance for one activation. Called on an execute thread; may block, for example to fetch contents
     * from another member.
     *
     * @throws ServiceFault if the class is missing or cannot be instantiated
     * @throws InterruptedException if the activation was aborted
     */
    ServiceObject create(SingletonSpec spec) throws ServiceFault, InterruptedException;

    /**
     * An instance created by this source is no longer in use: it was deactivated, or its activation failed. From any
     * thread.
     */
    default void closed(ServiceObject object) {
        // nothing to release by default
    }
}
