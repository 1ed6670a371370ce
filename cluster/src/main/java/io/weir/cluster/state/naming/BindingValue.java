package io.weir.cluster.state.naming;

import java.util.List;

/** What a name of the tree stands for: never an object, and no class is ever loaded by it. Immutable. */
public sealed interface BindingValue {
    /**
     * A service of the lease's owner that is called remotely.
     *
     * @param service by which name calls go to it on its member
     * @param interfaces that it offers, the ones a proxy implements
     */
    record Remote(String service, List<Interface> interfaces) implements BindingValue {
        public Remote {
            interfaces = List.copyOf(interfaces);
        }
    }

    /**
     * An interface.
     *
     * @param hash of its methods and their signatures: both ends must have the same
     */
    record Interface(String name, long hash) {}

    /** A text. */
    record Text(String value) implements BindingValue {}
}
