package io.weir.wire.naming;

import java.util.Map;

/**
 * The object bound to a name. Immutable.
 *
 * @param kind {@code queue}, {@code topic}, {@code connection-factory}; defined by the service that owns the name
 * @param name the name under which it is bound
 * @param attributes what a client needs to know about it
 */
public record NamingEntry(String kind, String name, Map<String, String> attributes) {
    /** Copies the attributes, none of which is null. */
    public NamingEntry {
        attributes = Map.copyOf(attributes);
    }
}
