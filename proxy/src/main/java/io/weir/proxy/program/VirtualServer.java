package io.weir.proxy.program;

import java.util.List;

/**
 * A virtual server. Immutable.
 *
 * @param name label of its counters
 * @param ordinal position among the virtual servers of this configuration
 * @param hosts names and {@code *.suffix}es in lower case
 * @param listeners names of its listeners; empty: all
 */
public record VirtualServer(String name, int ordinal, List<String> hosts, List<String> listeners) {
    /** The name of the one that exists always. */
    public static final String DEFAULT_NAME = "default";

    /** The only one where none is configured. */
    public static final VirtualServer DEFAULT = new VirtualServer(DEFAULT_NAME, 0, List.of(), List.of());

    public VirtualServer {
        hosts = List.copyOf(hosts);
        listeners = List.copyOf(listeners);
    }
}
