package io.weir.server.config.sun;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an element of {@code server.xml}. Immutable.
 *
 * @param reason why it has no effect, or stops the start; for the others what an operator should know, may be empty
 */
record XmlRow(String element, Kind kind, List<Setting> settings, String reason) {
    /** What becomes of an element. */
    enum Kind {
        /** Its values are settings. */
        SETTINGS,
        /** It has no meaning, nor has anything in it. */
        NOTED,
        /** Without it clients would get something else: the start is refused. */
        REFUSED
    }

    XmlRow {
        settings = List.copyOf(settings);
    }

    static XmlRow of(String element, Setting... settings) {
        return new XmlRow(element, Kind.SETTINGS, List.of(settings), "");
    }

    static XmlRow noted(String element, String reason) {
        return new XmlRow(element, Kind.NOTED, List.of(), reason);
    }

    static XmlRow refused(String element, String reason) {
        return new XmlRow(element, Kind.REFUSED, List.of(), reason);
    }

    @Nullable
    Setting setting(String name) {
        return settings.stream().filter(s -> s.name().equals(name)).findFirst().orElse(null);
    }

    List<String> names() {
        return settings.stream().map(Setting::name).toList();
    }

    /** Whether its knobs belong to something that has a name. */
    boolean isNamed() {
        return settings.stream().anyMatch(s -> s.name().equals("id") || s.name().equals("name"));
    }
}
