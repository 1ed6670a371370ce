package io.weir.server.migrate.sun;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.base.KnobCatalogue;
import io.weir.server.config.WeirConfig;
import io.weir.server.config.sun.SunFiles;
import io.weir.server.config.sun.SunLayer;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.draft.Section;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code magnus.conf}, {@code server.xml} and Init lines say outside the routes: the values that a server with
 * {@code proxy.objects} has from them, as keys of the translation. Used once.
 */
public final class SunSettings {
    /** Keys that only an {@code obj.conf} uses. */
    private static final Set<String> OF_OBJECTS = Set.of("proxy.objects", "proxy.variables");

    private static final String MIME_TYPES = "proxy.mime-types";
    private static final Pattern CERTIFICATES = Pattern.compile("listeners\\.([^.]+)\\.tls\\.certificates");

    private final Section root;
    private final Findings findings;

    public SunSettings(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    /**
     * Translates what lies beside an {@code obj.conf}, and its Init lines.
     *
     * @return the variables, whose values stand where they are named
     */
    public Map<String, String> translate(Path objects) {
        Place at = Place.of(objects.toString());
        ConfigNode.Mapping named =
                ConfigNode.Mapping.empty(at).with("proxy.objects", new ConfigNode.Scalar(at, objects.toString()));
        SunLayer layer = SunFiles.below(named, KnobCatalogue.of(WeirConfig.class));
        mapping(layer.tree(), "", root);
        mapping(layer.migrated(), "", root);
        layer.notesOfMigration().forEach(n -> findings.note(n.at(), n.what()));
        layer.leftByMigration().forEach(n -> findings.left(n.at(), n.what()));
        // what would stop a start with obj.conf does not stop the rest of the translation
        layer.problems().forEach(p -> findings.left(p.at(), p.what()));
        layer.unmet(layer.tree()).forEach(this::unmet);
        return variables(layer.tree());
    }

    private static Map<String, String> variables(ConfigNode.Mapping tree) {
        Map<String, String> variables = new HashMap<>();
        if (tree.entries().get("proxy") instanceof ConfigNode.Mapping proxy
                && proxy.entries().get("variables") instanceof ConfigNode.Mapping written) {
            written.entries().forEach((name, node) -> {
                if (node instanceof ConfigNode.Scalar value) {
                    variables.put(name, value.text());
                }
            });
        }
        return variables;
    }

    private void mapping(ConfigNode.Mapping from, String prefix, Section into) {
        from.entries().forEach((key, node) -> {
            String full = prefix + key;
            if (!OF_OBJECTS.contains(full)) {
                node(key, full, node, into);
            }
        });
    }

    private void node(String key, String full, ConfigNode node, Section into) {
        switch (node) {
            case ConfigNode.Scalar s -> into.put(key, s.text(), s.at());
            case ConfigNode.Mapping m ->
                mapping(m, full + ".", into.section(key).from(m.at()));
            case ConfigNode.Sequence s
            when s.items().stream().allMatch(i -> i instanceof ConfigNode.Scalar) -> {
                List<String> texts = full.equals(MIME_TYPES) ? readable(s) : texts(s);
                if (!texts.isEmpty()) {
                    into.put(key, texts, s.at());
                }
            }
            case ConfigNode.Sequence s -> {
                List<Section> list = into.list(key);
                s.items().forEach(item -> {
                    if (item instanceof ConfigNode.Mapping m) {
                        Section section = new Section().from(m.at());
                        mapping(m, full + "[].", section);
                        list.add(section);
                    }
                });
            }
        }
    }

    /** A server does not start without a file of types that it names. */
    private List<String> readable(ConfigNode.Sequence files) {
        List<String> readable = new ArrayList<>();
        for (ConfigNode item : files.items()) {
            if (item instanceof ConfigNode.Scalar file && !readable.contains(file.text())) {
                if (isReadable(file.text())) {
                    readable.add(file.text());
                } else {
                    findings.left(file.at(), "MIME file", file.text() + " cannot be read: it is left out");
                }
            }
        }
        return readable;
    }

    private static boolean isReadable(String file) {
        try {
            return Files.isRegularFile(Path.of(file)) && Files.isReadable(Path.of(file));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static List<String> texts(ConfigNode.Sequence s) {
        return s.items().stream()
                .map(item -> item instanceof ConfigNode.Scalar text ? text.text() : "")
                .distinct()
                .toList();
    }

    /** A listener whose certificate is in a database of NSS listens on this machine alone, without TLS, until it has one. */
    private void unmet(ConfigProblem need) {
        Matcher listener = CERTIFICATES.matcher(need.key());
        String closed = "";
        if (listener.matches()) {
            Section section = root.section("listeners").section(listener.group(1));
            section.remove("tls");
            section.put("address", "127.0.0.1", need.at());
            closed = "; until then it listens on 127.0.0.1 only, without TLS";
        }
        findings.left(need.at(), need.key(), need.what() + closed);
    }
}
