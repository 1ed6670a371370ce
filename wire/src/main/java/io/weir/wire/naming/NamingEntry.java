package io.weir.wire.naming;

import java.util.Map;

/**
 * What a name stands for. Immutable.
 *
 * @param kind {@code queue}, {@code topic}, {@code connection-factory}; the service that owns the name defines it
 * @param name the name it was bound under
 * @param attributes what a client needs to know of it
 */
public record NamingEntry(String kind, String name, Map<String, String> attributes) {
    /** Keeps a copy of the attributes, none of which is null. */
    public NamingEntry {
        attributes = Map.copyOf(attributes);
    }
}
