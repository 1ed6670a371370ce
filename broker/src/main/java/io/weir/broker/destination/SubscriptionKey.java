package io.weir.broker.destination;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a named subscription (Jakarta Messaging 3.1, 4.2.4). Durable and non-durable ones have separate name
 * spaces, as has each client identifier and the shared ones without an identifier. Immutable.
 */
public record SubscriptionKey(@Nullable String clientId, String name, boolean durable) {
    private static final String NOT_DURABLE = "non-durable ";

    /** The text for operators and the command line, unique to each key. */
    @Override
    public String toString() {
        return (durable ? "" : NOT_DURABLE) + escaped(clientId) + "." + name;
    }

    /** The older form of {@link #toString()}, in which identifiers with dots are ambiguous. */
    public String joined() {
        return (durable ? "" : NOT_DURABLE) + (clientId == null ? "" : clientId) + "." + name;
    }

    /** The first unescaped dot ends the identifier, the first unescaped space the prefix before it. */
    private static String escaped(@Nullable String clientId) {
        return clientId == null
                ? ""
                : clientId.replace("\\", "\\\\").replace(".", "\\.").replace(" ", "\\ ");
    }
}
