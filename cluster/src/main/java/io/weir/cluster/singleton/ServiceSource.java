package io.weir.cluster.singleton;

import io.weir.cluster.state.singletons.SingletonSpec;

/** Where objects of services come from: the server's lib folder, a hot deployment, a test. Shared. */
@FunctionalInterface
public interface ServiceSource {
    /**
     * Makes an object for one activation. Called on an execute thread: it may wait, for contents from another member
     * for instance.
     *
     * @throws ServiceFault when there is no such class, or no object of it
     * @throws InterruptedException when the activation was aborted
     */
    ServiceObject create(SingletonSpec spec) throws ServiceFault, InterruptedException;

    /** An object that this made serves no more: it was deactivated, or its activation failed. From any thread. */
    default void closed(ServiceObject object) {
        // most keep nothing for it
    }
}
