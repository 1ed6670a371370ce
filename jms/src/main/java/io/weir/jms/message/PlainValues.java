package io.weir.jms.message;

import java.util.Set;

/**
 * The classes of java.lang, java.util, java.math and java.time that an ObjectMessage may contain without being listed:
 * their deserialisation runs only JDK code, and affects nothing outside of the object. Comparators, classes, threads
 * and similar are not included, nor is java.sql. Static and immutable.
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
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "java.math.MathContext",
            "java.math.RoundingMode",
            "java.time.DayOfWeek",
            "java.time.Duration",
            "java.time.Instant",
            "java.time.LocalDate",
            "java.time.LocalDateTime",
            "java.time.LocalTime",
            "java.time.Month",
            "java.time.MonthDay",
            "java.time.OffsetDateTime",
            "java.time.OffsetTime",
            "java.time.Period",
            "java.time.Ser",
            "java.time.Year",
            "java.time.YearMonth",
            "java.time.ZoneId",
            "java.time.ZoneOffset",
            "java.time.ZoneRegion",
            "java.time.ZonedDateTime",
            "java.time.temporal.ChronoUnit",
            "java.util.BitSet",
            "java.util.Calendar",
            "java.util.Currency",
            "java.util.Date",
            "java.util.EnumSet$SerializationProxy",
            "java.util.GregorianCalendar",
            "java.util.Locale",
            "java.util.Map$Entry",
            "java.util.SimpleTimeZone",
            "java.util.TimeZone",
            "java.util.UUID",
            "java.util.concurrent.TimeUnit",
            "sun.util.calendar.ZoneInfo");

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
            "java.util.Collections$SetFromMap",
            "java.util.Collections$SynchronizedCollection",
            "java.util.Collections$SynchronizedList",
            "java.util.Collections$SynchronizedMap",
            "java.util.Collections$SynchronizedNavigableMap",
            "java.util.Collections$SynchronizedNavigableSet",
            "java.util.Collections$SynchronizedRandomAccessList",
            "java.util.Collections$SynchronizedSet",
            "java.util.Collections$SynchronizedSortedMap",
            "java.util.Collections$SynchronizedSortedSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Collections$UnmodifiableNavigableMap",
            "java.util.Collections$UnmodifiableNavigableMap$EmptyNavigableMap",
            "java.util.Collections$UnmodifiableNavigableSet",
            "java.util.Collections$UnmodifiableNavigableSet$EmptyNavigableSet",
            "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableSequencedCollection",
            "java.util.Collections$UnmodifiableSequencedMap",
            "java.util.Collections$UnmodifiableSequencedSet",
            "java.util.Collections$UnmodifiableSet",
            "java.util.Collections$UnmodifiableSortedMap",
            "java.util.Collections$UnmodifiableSortedSet",
            "java.util.EnumMap",
            "java.util.EnumSet",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.IdentityHashMap",
            "java.util.JumboEnumSet",
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
            "java.util.RegularEnumSet",
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
