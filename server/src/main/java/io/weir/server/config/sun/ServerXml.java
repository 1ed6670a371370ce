package io.weir.server.config.sun;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Applies a {@code server.xml}: the Proxy Server's, or one of Web Server 7.0. Used once. */
final class ServerXml {
    private static final Map<String, XmlRow> ROWS = Stream.of(XmlRows.all(), Xml7Rows.all())
            .flatMap(List::stream)
            .collect(Collectors.toMap(XmlRow::element, Function.identity()));
    private static final Set<String> ROOTS = Set.of("SERVER", "server");
    private static final Set<String> DESCRIPTIONS = Set.of("DESCRIPTION", "description");
    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{([A-Za-z0-9_-]+)}|([A-Za-z0-9_-]+))");
    private static final String NAME = "<name>";

    /** Elements that may stand beside others of their kind: each has a name, or a file. */
    private static final Set<String> MANY =
            Set.of("PROPERTY", "variable", "LS", "http-listener", "VS", "virtual-server", "VSCLASS", "MIME", "ACLFILE");

    /** Values of Web Server 7.0 that are given one at a time. */
    private static final Set<String> ONE_BY_ONE = Set.of("host", "http-listener-name", "mime-file", "acl-file");

    private final Layer layer;
    private final XmlSpecials specials;
    private final XmlDisk disk;
    private final @Nullable XmlElement root;
    private final Map<String, Place> names = new HashMap<>();

    /**
     * Reads the file.
     *
     * @param name of the file, for places
     * @param objects the name of the file of objects
     */
    ServerXml(String name, String text, String objects, Layer layer) {
        this.layer = layer;
        this.root = new XmlReading(name, text).read(layer);
        this.specials = new XmlSpecials(name, objects, layer);
        this.disk = new XmlDisk(layer, this::text);
    }

    /** Sets the variables, before anything names one. */
    void variables() {
        if (root != null) {
            variables(root, new HashSet<>());
        }
    }

    private void variables(XmlElement parent, Set<String> before) {
        for (XmlElement e : parent.children()) {
            if (e.name().equals("PROPERTY") || e.name().equals("variable")) {
                variable(e, before);
            }
            variables(e, before);
        }
    }

    private void variable(XmlElement e, Set<String> before) {
        XmlElement.Property name = e.property("name");
        XmlElement.Property value = e.property("value");
        if (name == null || value == null) {
            layer.problem(e.at(), e.name() + " needs name and value");
        } else if (layer.named(name.value(), name.at(), e.name())) {
            if (before.add(name.value())) {
                layer.variables().put(name.value(), text(value));
                layer.put("proxy.variables." + name.value(), value.at(), text(value), e.name());
            } else {
                layer.problem(name.at(), e.name() + " " + name.value() + " is given twice");
            }
        }
    }

    /** Applies everything else. */
    void apply() {
        if (root == null) {
            return;
        }
        if (ROOTS.contains(root.name())) {
            element(root, "");
            disk.finish();
        } else {
            layer.problem(root.at(), "expected <SERVER>, found <" + root.name() + ">");
        }
    }

    private void element(XmlElement e, String of) {
        XmlRow row = ROWS.get(e.name());
        if (row == null) {
            layer.problem(e.at(), "unknown element <" + e.name() + ">" + near(e.name(), ROWS.keySet()));
            return;
        }
        switch (row.kind()) {
            case NOTED -> {
                String what = e.name() + " has no effect: " + row.reason();
                if (disk.element(e)) {
                    layer.noteRun(e.at(), what);
                } else {
                    layer.note(e.at(), what);
                }
            }
            case REFUSED -> layer.problem(e.at(), e.name() + " is not supported: " + row.reason());
            case SETTINGS -> settings(e, row, of);
        }
    }

    private void settings(XmlElement e, XmlRow row, String of) {
        String name = of;
        if (row.isNamed() && isOfNames(row)) {
            XmlElement.Property named = e.property(row.setting("id") == null ? "name" : "id");
            if (named == null) {
                layer.problem(e.at(), e.name() + " needs " + (row.setting("id") == null ? "a name" : "an id"));
                return;
            }
            if (!layer.named(named.value(), named.at(), e.name())) {
                return;
            }
            name = named.value();
            if (isTwice(names, section(row) + name, e.name() + " " + name, named.at())) {
                return;
            }
        }
        if (name.isEmpty()
                && row.settings().stream().anyMatch(s -> s.keys().stream().anyMatch(k -> k.contains(NAME)))) {
            layer.note(e.at(), e.name() + " has no effect here: it belongs into a listener or a virtual server");
            return;
        }
        if (!specials.wanted(e, name)) {
            return;
        }
        Map<String, Place> values = new HashMap<>();
        for (XmlElement.Property p : e.properties()) {
            if (ONE_BY_ONE.contains(p.name())
                    || p.name().isEmpty()
                    || !isTwice(values, p.name(), e.name() + " " + p.name(), p.at())) {
                property(e, row, p, name);
            }
        }
        specials.apply(e, name, this::text);
        disk.element(e);
        Map<String, Place> children = new HashMap<>();
        for (XmlElement child : e.children()) {
            if (!isOne(child) || !isTwice(children, which(child), child.name(), child.at())) {
                element(child, name);
            }
        }
    }

    /** The part of the configuration in which a named element has an entry, whatever the element is called. */
    private static String section(XmlRow row) {
        return row.settings().stream()
                .flatMap(s -> s.keys().stream())
                .filter(k -> k.endsWith(NAME))
                .findFirst()
                .orElse("");
    }

    /** Whether an element with settings may stand only once in what it stands in. */
    private static boolean isOne(XmlElement e) {
        XmlRow row = ROWS.get(e.name());
        return row != null && row.kind() == XmlRow.Kind.SETTINGS && !MANY.contains(e.name());
    }

    /** Access logs have names. */
    private static String which(XmlElement e) {
        XmlElement.Property name = e.name().equals("access-log") ? e.property("name") : null;
        return e.name() + (name == null || name.value().strip().equals("default") ? "" : " " + name.value());
    }

    /** The last of two values would count, and nobody would see which: it is a mistake. */
    private boolean isTwice(Map<String, Place> before, String what, String called, Place at) {
        Place first = before.putIfAbsent(what, at);
        if (first != null) {
            layer.problem(at, called + " is given twice, first at line " + first.line());
        }
        return first != null;
    }

    private static boolean isOfNames(XmlRow row) {
        return row.settings().stream().anyMatch(s -> s.keys().stream().anyMatch(k -> k.endsWith(NAME)));
    }

    private void property(XmlElement e, XmlRow row, XmlElement.Property p, String name) {
        Setting s = row.setting(p.name());
        if (s != null && !s.special()) {
            s.apply(layer, e.name(), text(p).strip(), p.at(), k -> k.replace(NAME, name));
        } else if (s == null && !DESCRIPTIONS.contains(p.name())) {
            String what = p.name().isEmpty() ? "a text" : "\"" + p.name() + "\"";
            layer.problem(
                    p.at(),
                    e.name() + " has no " + what + near(p.name(), row.names())
                            + (row.names().isEmpty() ? "" : " Known: " + String.join(", ", row.names())));
        }
    }

    private static String near(String word, Collection<String> known) {
        return word.isEmpty() ? "" : Setting.nearest(word, known);
    }

    /** A value, with the variables in it. */
    private String text(XmlElement.Property p) {
        Matcher m = VARIABLE.matcher(p.value());
        StringBuilder text = new StringBuilder();
        while (m.find()) {
            String name = m.group(1) == null ? m.group(2) : m.group(1);
            String value = layer.variables().get(name);
            if (value == null) {
                layer.problem(
                        p.at(),
                        "there is no variable $" + name
                                + near(name, layer.variables().keySet()));
            }
            m.appendReplacement(text, Matcher.quoteReplacement(value == null ? m.group() : value));
        }
        return m.appendTail(text).toString();
    }

    /** A list of words as a value. */
    static ConfigNode list(List<String> words, Place at) {
        return new ConfigNode.Sequence(
                at,
                words.stream()
                        .map(w -> (ConfigNode) new ConfigNode.Scalar(at, w))
                        .toList());
    }
}
