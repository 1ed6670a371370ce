package io.weir.jms.message;

import java.util.Set;

/**
 * The values of java.lang and java.util that an ObjectMessage may hold without being listed: their deserialisation runs no
 * code but the JDK's, and reaches nothing outside of the object. Comparators, proxies, classes, threads and the like are not
 * among them. Static and immutable.
 */
final class PlainValues {
    private static final Set<String> VALUES = Set.of(
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Double",
            "java.lang.Enum",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Number",
            "java.lang.Short",
            "java.lang.String",
            "java.lang.StringBuffer",
            "java.lang.StringBuilder",
            "java.util.BitSet",
            "java.util.Currency",
            "java.util.Date",
            "java.util.Locale",
            "java.util.Map$Entry",
            "java.util.UUID");

    private static final Set<String> CONTAINERS = Set.of(
            "java.util.AbstractMap$SimpleEntry",
            "java.util.AbstractMap$SimpleImmutableEntry",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays$ArrayList",
            "java.util.CollSer",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$EmptySet",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonMap",
            "java.util.Collections$SingletonSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableSet",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$ListN",
            "java.util.ImmutableCollections$Map1",
            "java.util.ImmutableCollections$MapN",
            "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Properties",
            "java.util.Stack",
            "java.util.TreeMap",
            "java.util.TreeSet",
            "java.util.Vector");

    private PlainValues() {}

    static boolean holds(String name) {
        return VALUES.contains(name) || isContainer(name);
    }

    static boolean isContainer(String name) {
        return CONTAINERS.contains(name);
    }
}
