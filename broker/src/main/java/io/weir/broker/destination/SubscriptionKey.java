package io.weir.broker.destination;

import org.jspecify.annotations.Nullable;

/**
 * The identity of named subscriptions (Jakarta Messaging 3.1, 4.2.4): durable ones and others have names of their own,
 * each client identifier too, and shared ones without an identifier. Immutable.
 */
public record SubscriptionKey(@Nullable String clientId, String name, boolean durable) {
    private static final String NOT_DURABLE = "non-durable ";

    /** For people and the command line: no two keys have the same text. */
    @Override
    public String toString() {
        return (durable ? "" : NOT_DURABLE) + escaped(clientId) + "." + name;
    }

    /** The older form of {@link #toString()}, in which identifiers with dots are ambiguous. */
    public String joined() {
        return (durable ? "" : NOT_DURABLE) + (clientId == null ? "" : clientId) + "." + name;
    }

    /** The first dot that is not escaped ends the identifier, the first space the word before it. */
    private static String escaped(@Nullable String clientId) {
        return clientId == null
                ? ""
                : clientId.replace("\\", "\\\\").replace(".", "\\.").replace(" ", "\\ ");
    }
}
