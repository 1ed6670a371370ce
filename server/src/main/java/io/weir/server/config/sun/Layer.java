package io.weir.server.config.sun;

import io.weir.base.ByteSize;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.base.Durations;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects a {@link SunLayer}. Used once, by one thread. */
final class Layer {
    private static final String NAMES = "[A-Za-z0-9][A-Za-z0-9_-]{0,63}";
    private static final String EACH = ".*.";
    private static final int MAX_PROBLEMS = 100;

    private final KnobCatalogue knobs;
    private final ConfigNode.Mapping upper;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Map<String, ConfigNode> forEach = new LinkedHashMap<>();
    private final Map<String, ConfigNode> fallbacks = new LinkedHashMap<>();
    private final List<ConfigProblem> notes = new ArrayList<>();
    private final List<ConfigProblem> ofRun = new ArrayList<>();
    private final List<ConfigProblem> ofMigration = new ArrayList<>();
    private final List<ConfigProblem> left = new ArrayList<>();
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<SunLayer.Need> needs = new ArrayList<>();
    private final Map<String, Place> given = new HashMap<>();
    private final List<ConfigProblem> revoked = new ArrayList<>();
    private ConfigNode.Mapping tree;
    private ConfigNode.Mapping migrated;

    /** @param upper the configuration above this layer */
    Layer(KnobCatalogue knobs, ConfigNode.Mapping upper, Place at) {
        this.knobs = knobs;
        this.upper = upper;
        this.tree = ConfigNode.Mapping.empty(at);
        this.migrated = ConfigNode.Mapping.empty(at);
    }

    /** The variables of {@code server.xml}. */
    Map<String, String> variables() {
        return variables;
    }

    void note(Place at, String what) {
        notes.add(new ConfigProblem(at, "", what));
    }

    /** A note that is not true of what {@code weir migrate} writes. */
    void noteRun(Place at, String what) {
        notes.add(new ConfigProblem(at, "", what));
        ofRun.add(notes.getLast());
    }

    /** A note for {@code weir migrate} only. */
    void noteMigration(Place at, String what) {
        ofMigration.add(new ConfigProblem(at, "", what));
    }

    /** Something that {@code weir migrate} does not translate. */
    void left(Place at, String what) {
        left.add(new ConfigProblem(at, "", what));
    }

    /** Whether the configuration above this layer has a section or a knob. */
    boolean isAbove(String key) {
        return upper.find(key) != null;
    }

    void problem(Place at, String what) {
        if (problems.size() < MAX_PROBLEMS && !problems.contains(new ConfigProblem(at, "", what))) {
            boolean last = problems.size() == MAX_PROBLEMS - 1;
            problems.add(new ConfigProblem(at, "", last ? what + "; there are more, reading ends here" : what));
        }
    }

    /** Whether what may be given once was given before, which is a mistake: the last one would count unseen. */
    boolean isTwice(String what, Place at) {
        Place first = given.putIfAbsent(what, at);
        if (first != null) {
            String file = first.source().equals(at.source()) ? "at line " + first.line() : "at " + first;
            problem(at, what + " is given twice, first " + file);
        }
        return first != null;
    }

    void need(Place at, String key, String what) {
        needs.add(new SunLayer.Need(at, key, what));
    }

    /** Makes each listener that asks clients for certificates need its lists of revoked ones. */
    void revoked(Place at, String what) {
        revoked.add(new ConfigProblem(at, "", what));
    }

    private void needLists(ConfigProblem from) {
        boolean none = true;
        for (String name : names("listeners")) {
            String tls = "listeners." + name + ".tls.";
            ConfigNode own = upper.find(tls + "client-auth");
            ConfigNode asked = own == null ? tree.find(tls + "client-auth") : own;
            if (asked instanceof ConfigNode.Scalar word && !word.text().equals("none")) {
                none = false;
                need(from.at(), tls + "client-crl", from.what());
            }
        }
        if (none) {
            note(from.at(), "crl-path has no effect: no listener asks clients for certificates (tls.client-auth)");
        }
    }

    /** Whether a name can be one of the configuration; if not, it is reported. */
    boolean named(String name, Place at, String called) {
        if (!name.matches(NAMES)) {
            problem(at, called + ": expected a name of letters, digits, - and _, at most 64, found \"" + name + "\"");
            return false;
        }
        return true;
    }

    /**
     * Sets a knob; the last value counts.
     *
     * @param called the setting, for messages
     */
    void put(String key, Place at, String text, String called) {
        node(key, new ConfigNode.Scalar(at, text), called);
    }

    /** Sets a knob in what {@code weir migrate} writes only. */
    void migrate(String key, Place at, String text) {
        migrate(key, new ConfigNode.Scalar(at, text));
    }

    /** The same with whatever a node is. */
    void migrate(String key, ConfigNode node) {
        migrated = migrated.with(key, node);
    }

    /** Sets a knob to whatever a node is. */
    void node(String key, ConfigNode node, String called) {
        if (!exists(key)) {
            note(node.at(), called + " has no effect: this version has no " + key);
        } else if (key.contains(EACH)) {
            forEach.put(key, node);
        } else {
            tree = tree.with(key, node);
        }
    }

    /** Whether a key is a knob, or an entry of one that is a map of texts. */
    private boolean exists(String key) {
        int dot = key.lastIndexOf('.');
        KnobSpec map = knobs.find(key.substring(0, Math.max(0, dot)));
        return knobs.find(key) != null || (map != null && map.typeName().startsWith("map "));
    }

    /** Sets a knob unless something else does. */
    void fallback(String key, Place at, String text) {
        fallbacks.putIfAbsent(key, new ConfigNode.Scalar(at, text));
    }

    /** Adds an entry to a list. */
    void add(String key, Place at, String text) {
        List<ConfigNode> items = new ArrayList<>();
        ConfigNode.Sequence before = tree.find(key) instanceof ConfigNode.Sequence s ? s : null;
        if (before != null) {
            items.addAll(before.items());
        }
        items.add(new ConfigNode.Scalar(at, text));
        node(key, new ConfigNode.Sequence(before == null ? at : before.at(), items), key);
    }

    /** The value of a knob so far; null: none. */
    @Nullable
    String text(String key) {
        return tree.find(key) instanceof ConfigNode.Scalar s ? s.text() : null;
    }

    /** Where a knob was set to 0; null: it was not. */
    @Nullable
    Place zero(String key) {
        return tree.find(key) instanceof ConfigNode.Scalar s && s.text().equals("0") ? s.at() : null;
    }

    /** Makes a section exist, with its defaults. */
    void section(String key, Place at) {
        if (tree.find(key) == null) {
            tree = tree.with(key, ConfigNode.Mapping.empty(at));
        }
    }

    /** Sets a knob to a number, or to the knob's nearest one, which is noted. */
    void number(String key, Place at, Quantity quantity, long base, String called, long written) {
        KnobSpec spec = knobs.find(key);
        long used = spec == null ? base : Math.clamp(base, bound(spec, true), bound(spec, false));
        if (used != base && base != Long.MAX_VALUE) {
            note(
                    at,
                    called + ": " + key + " is "
                            + (used < base ? "at most " : "at least ")
                            + quantity.knobText(used) + ", which is used instead of " + written);
        }
        put(key, at, quantity.knobText(used), called);
    }

    private static long bound(KnobSpec spec, boolean least) {
        String text = least ? spec.knob().min() : spec.knob().max();
        if (text.isEmpty()) {
            return least ? 0 : Long.MAX_VALUE - 1;
        }
        if (spec.type() == Duration.class) {
            return Durations.parse(text).toMillis();
        }
        return spec.type() == ByteSize.class ? ByteSize.parse(text).bytes() : (long) Double.parseDouble(text);
    }

    /** The whole layer. */
    SunLayer finish() {
        fallbacks.forEach((key, node) -> {
            if (tree.find(key) == null) {
                tree = tree.with(key, node);
            }
        });
        forEach.forEach((key, node) -> {
            int star = key.indexOf(EACH);
            for (String name : names(key.substring(0, star))) {
                String full = key.substring(0, star + 1) + name + key.substring(star + 2);
                boolean tls = !key.contains(".tls.") || isThere("listeners." + name + ".tls");
                if (tls && tree.find(full) == null) {
                    tree = tree.with(full, node);
                }
            }
        });
        revoked.forEach(this::needLists);
        List<ConfigProblem> migration = new ArrayList<>(notes);
        migration.removeAll(ofRun);
        migration.removeIf(note -> note.what().contains(XmlRows.DISK));
        migration.addAll(ofMigration);
        return new SunLayer(tree, notes, problems, needs, migrated, migration, left);
    }

    private boolean isThere(String key) {
        return tree.find(key) != null || upper.find(key) != null;
    }

    /** The names of a section's entries, here and above; of listeners those for HTTP. */
    private Set<String> names(String section) {
        Set<String> names = new LinkedHashSet<>();
        for (ConfigNode.Mapping from : List.of(tree, upper)) {
            if (from.find(section) instanceof ConfigNode.Mapping entries) {
                names.addAll(entries.entries().keySet());
            }
        }
        names.removeIf(name -> upper.find(section + "." + name + ".protocol") instanceof ConfigNode.Scalar protocol
                && !protocol.text().equals("http"));
        return names;
    }
}
