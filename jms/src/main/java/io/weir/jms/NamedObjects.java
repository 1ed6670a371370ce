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

/** Converts entries of a server's naming into the objects that applications use. Stateless. */
public final class NamedObjects {
    /** The attribute of a connection factory that is an XA one. */
    public static final String XA = "xa-connection-factory-enabled";

    private NamedObjects() {}

    /**
     * Converts an entry into a queue, a topic, a connection factory or a string.
     *
     * @param url the URL that connection factories connect to
     * @param credentials their credentials if the application gives no user
     * @return null for an entry of another kind
     * @throws NamingException if a connection factory has values that this client cannot use
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

    /** The destination's name for an entry without a name attribute, from the name it is bound under: kind and name. */
    private static String plain(String name) {
        return name.startsWith("queue/") || name.startsWith("topic/") ? name.substring(6) : name;
    }

    /** Ignores attributes of a newer server that this client does not know. */
    private static WeirConnectionFactory factory(Map<String, String> attributes, String url, Credentials credentials)
            throws NamingException {
        boolean xa = "on".equals(attributes.get(XA));
        try {
            attributes.keySet().retainAll(ClientKnobs.keys());
            WeirConnectionFactory factory =
                    xa ? new WeirXAConnectionFactory(url, attributes) : new WeirConnectionFactory(url, attributes);
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
