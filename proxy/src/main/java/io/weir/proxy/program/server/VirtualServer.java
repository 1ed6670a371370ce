package io.weir.proxy.program.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A virtual server. Immutable.
 *
 * @param name label of its counters
 * @param ordinal position among the virtual servers of this configuration
 * @param hosts names and {@code *.suffix}es in lower case
 * @param listeners names of its listeners; empty: all
 * @param workManager of requests whose route names none; null: default
 * @param requestClass of requests whose route names none; null: that of the work manager
 */
public record VirtualServer(
        String name,
        int ordinal,
        List<String> hosts,
        List<String> listeners,
        @Nullable String workManager,
        @Nullable String requestClass) {
    /** The name of the one that always exists. */
    public static final String DEFAULT_NAME = "default";

    /** The only one if none is configured. */
    public static final VirtualServer DEFAULT = new VirtualServer(DEFAULT_NAME, 0, List.of(), List.of(), null, null);

    /** Its representation in cache keys; empty for the default one. */
    public String keyed() {
        return name.equals(DEFAULT_NAME) ? "" : name;
    }

    public VirtualServer {
        hosts = List.copyOf(hosts);
        listeners = List.copyOf(listeners);
    }
}
