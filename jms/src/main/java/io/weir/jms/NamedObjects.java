package io.weir.jms;

import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
import io.weir.wire.login.Credentials;
import io.weir.wire.naming.NamingEntry;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** The objects that entries of a server's naming stand for, as applications use them. Stateless. */
public final class NamedObjects {
    private NamedObjects() {}

    /**
     * A queue, a topic, a connection factory or a text.
     *
     * @param url where connection factories connect to
     * @param credentials with which they do, where the application names no user
     * @return null for what is of another kind
     * @throws NamingException when a connection factory has values that this client cannot use
     */
    public static @Nullable Object of(NamingEntry entry, String url, Credentials credentials) throws NamingException {
        Map<String, String> attributes = new TreeMap<>(entry.attributes());
        String destination = attributes.getOrDefault("name", plain(entry.name()));
        return switch (entry.kind()) {
            case "queue" -> new WeirQueue(destination);
            case "topic" -> new WeirTopic(destination);
            case "connection-factory" -> factory(attributes, url, credentials);
            case "text" -> attributes.getOrDefault("value", "");
            default -> null;
        };
    }

    /** A destination is bound under its kind and name where the entry does not say what it is called. */
    private static String plain(String name) {
        return name.startsWith("queue/") || name.startsWith("topic/") ? name.substring(6) : name;
    }

    /** What a newer server says that this client does not know is passed over. */
    private static WeirConnectionFactory factory(Map<String, String> attributes, String url, Credentials credentials)
            throws NamingException {
        try {
            attributes.keySet().retainAll(ClientKnobs.keys());
            WeirConnectionFactory factory = new WeirConnectionFactory(url, attributes);
            factory.setUser(credentials.user());
            factory.setPassword(credentials.password());
            return factory;
        } catch (IllegalArgumentException e) {
            NamingException wrong =
                    new NamingException("the server's connection factory can not be used: " + e.getMessage());
            wrong.setRootCause(e);
            throw wrong;
        }
    }
}
