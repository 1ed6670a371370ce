package io.weir.jms.message;

import io.weir.jms.frames.Provenance;
import jakarta.jms.JMSException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The valid names of properties, sections 3.5.1, 3.5.8 and 3.5.9; those of {@link Provenance} are set by the broker
 * only, and an application's values are ignored. Immutable.
 */
final class PropertyNames {
    static final String DELIVERY_COUNT = "JMSXDeliveryCount";
    /**
     * In the specification's spelling. Other spellings are accepted, because users' programs and joram's tests use
     * them; selectors cannot refer to them.
     */
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");
    /** The JMSX properties that an application can set. */
    private static final Set<String> SETTABLE = Set.of("JMSXGroupID", "JMSXGroupSeq");
    /** The JMSX properties that the provider sets; an application's values are ignored. */
    private static final Set<String> PROVIDERS = Set.of(
            DELIVERY_COUNT,
            "JMSXUserID",
            "JMSXAppID",
            "JMSXProducerTXID",
            "JMSXConsumerTXID",
            "JMSXRcvTimestamp",
            "JMSXState");

    private PropertyNames() {}

    /**
     * Whether the application's value is kept.
     *
     * @throws IllegalArgumentException if the name is null or empty
     * @throws JMSException if it is not an identifier, is reserved, or its value does not have the specified type
     */
    static boolean settable(@Nullable String name, @Nullable Object value) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property needs a name");
        }
        if (name.startsWith("JMS") && !name.startsWith("JMS_")) {
            return reserved(name, value);
        }
        if (name.startsWith(Provenance.PREFIX)) {
            return false;
        }
        if (!identifier(name) || RESERVED.contains(name)) {
            throw new JMSException(
                    "'" + name + "' is no name for a property: an identifier of Java that is no word of selectors");
        }
        return true;
    }

    private static boolean reserved(String name, @Nullable Object value) throws JMSException {
        if (PROVIDERS.contains(name)) {
            return false;
        }
        if (!SETTABLE.contains(name)) {
            throw new JMSException("'" + name + "' is no name for a property: names that begin with JMS are reserved");
        }
        boolean group = name.equals("JMSXGroupID");
        if (group ? value != null && !(value instanceof String) : !(value instanceof Integer)) {
            throw new JMSException(name + " must be set as " + (group ? "a String" : "an int"));
        }
        return true;
    }

    private static boolean identifier(String name) {
        if (!Character.isJavaIdentifierStart(name.charAt(0))) {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
            if (!Character.isJavaIdentifierPart(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
