package io.weir.cluster.state.naming;

import java.util.List;

/** The value of a bound name: never a serialized object, and it never causes class loading. Immutable. */
public sealed interface BindingValue {
    /**
     * A service of the lease's owner that can be called remotely.
     *
     * @param service the name under which calls address it on its member
     * @param interfaces the interfaces that it offers, which a proxy implements
     */
    record Remote(String service, List<Interface> interfaces) implements BindingValue {
        public Remote {
            interfaces = List.copyOf(interfaces);
        }
    }

    /**
     * An interface.
     *
     * @param hash hash of its methods and their signatures, which must be the same at both ends
     */
    record Interface(String name, long hash) {}

    /** A text. */
    record Text(String value) implements BindingValue {}
}
