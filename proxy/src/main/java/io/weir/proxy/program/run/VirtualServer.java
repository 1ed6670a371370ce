package io.weir.proxy.program.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A virtual server. Immutable.
 *
 * @param name label of its counters
 * @param ordinal position among the virtual servers of this configuration
 * @param hosts names and {@code *.suffix}es in lower case
 * @param listeners names of its listeners; empty: all
 * @param workManager under which requests run whose route names none; null: default
 * @param requestClass in which they run whose route names none; null: that of the work manager
 */
public record VirtualServer(
        String name,
        int ordinal,
        List<String> hosts,
        List<String> listeners,
        @Nullable String workManager,
        @Nullable String requestClass) {
    /** The name of the one that exists always. */
    public static final String DEFAULT_NAME = "default";

    /** The only one where none is configured. */
    public static final VirtualServer DEFAULT = new VirtualServer(DEFAULT_NAME, 0, List.of(), List.of(), null, null);

    /** What stands for it in keys of the cache; empty for the default one. */
    public String keyed() {
        return name.equals(DEFAULT_NAME) ? "" : name;
    }

    public VirtualServer {
        hosts = List.copyOf(hosts);
        listeners = List.copyOf(listeners);
    }
}
