package io.weir.jms.message;

import java.io.ObjectInputFilter;
import java.util.List;

/**
 * The classes that may be deserialised from an ObjectMessage: {@link PlainValues}, and those that the application
 * lists. Immutable.
 *
 * @param allowed names of classes, packages {@code com.acme.*}, or packages with those below them {@code com.acme.**};
 * arrays are checked by their element type; {@code *} allows everything and is meant for tests
 * @param maxDepth objects within objects
 * @param maxReferences objects in a message
 * @param maxBytes length of the serialised form
 * @param maxArray length of an array
 */
public record ObjectRules(List<String> allowed, int maxDepth, long maxReferences, long maxBytes, long maxArray) {
    /** No listed classes. */
    public static final ObjectRules NOTHING = allowing(List.of());

    public ObjectRules {
        allowed = List.copyOf(allowed);
    }

    /** Rules for these classes with the default bounds: depth 64, 100,000 objects, 10 MiB, arrays of 1,000,000. */
    public static ObjectRules allowing(List<String> allowed) {
        return new ObjectRules(allowed, 64, 100_000, 10L << 20, 1_000_000);
    }

    /** Whether the class may be deserialised. */
    boolean allows(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.isPrimitive()
                || element == Object.class
                || PlainValues.holds(element.getName())
                || lists(element.getName());
    }

    /** Whether the application listed the class. */
    boolean lists(String name) {
        int dot = name.lastIndexOf('.');
        String folder = dot < 0 ? "" : name.substring(0, dot);
        for (String pattern : allowed) {
            boolean matches = pattern.equals("*")
                    || (pattern.endsWith(".**") && name.startsWith(pattern.substring(0, pattern.length() - 2)))
                    || (pattern.endsWith(".*") && folder.equals(pattern.substring(0, pattern.length() - 2)))
                    || pattern.equals(name);
            if (matches) {
                return true;
            }
        }
        return false;
    }

    /** Why this step of a deserialisation is refused; empty if it is not. */
    String refusal(ObjectInputFilter.FilterInfo info) {
        if (info.depth() > maxDepth) {
            return "objects are nested deeper than " + maxDepth;
        }
        if (info.references() > maxReferences) {
            return "there are more than " + maxReferences + " objects";
        }
        if (info.streamBytes() > maxBytes) {
            return "the serialised form is longer than " + maxBytes + " bytes";
        }
        if (info.arrayLength() > maxArray) {
            return "an array is longer than " + maxArray;
        }
        Class<?> type = info.serialClass();
        if (type != null && !allows(type)) {
            return "class " + type.getName()
                    + " is not allowed; to allow it, list it (or its package, as com.acme.*) in the"
                    + " connection factory's deserialization-allow-list";
        }
        return "";
    }
}
