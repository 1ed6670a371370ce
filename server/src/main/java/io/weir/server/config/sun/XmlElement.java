package io.weir.server.config.sun;

import io.weir.base.ConfigNode.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element of {@code server.xml}. Immutable.
 *
 * @param properties its attributes, and those of its child elements that have nothing but a text: the Proxy Server writes
 *     values in the first way, Web Server 7.0 in the second
 * @param children all other child elements
 */
record XmlElement(String name, List<Property> properties, List<XmlElement> children, Place at) {
    XmlElement {
        properties = List.copyOf(properties);
        children = List.copyOf(children);
    }

    /** A value. */
    record Property(String name, String value, Place at) {}

    /** The first property of that name; null: there is none. */
    @Nullable
    Property property(String name) {
        return properties.stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** All values of a property, in which Web Server 7.0 gives one at a time and the Proxy Server several at once. */
    List<String> values(String name) {
        return properties.stream()
                .filter(p -> p.name().equals(name))
                .flatMap(p -> List.of(p.value().strip().split("[\\s,]+")).stream())
                .filter(v -> !v.isEmpty())
                .toList();
    }

    /** What a switch says, also if it is not given; a wrong value counts as not given. */
    boolean flag(String name, boolean otherwise) {
        Property p = property(name);
        Boolean flag = p == null ? null : Quantity.flag(p.value().strip());
        return flag == null ? otherwise : flag;
    }
}
