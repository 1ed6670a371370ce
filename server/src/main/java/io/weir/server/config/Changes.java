package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigProblem;
import io.weir.base.EntryNames;
import io.weir.base.KeyPath;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes which keys change between two configurations, and whether they may. Stateless. */
final class Changes {
    static final KnobCatalogue CATALOGUE = KnobCatalogue.of(WeirConfig.class);

    /** The value of a key that is to be removed; recognised by identity. */
    static final ConfigNode REMOVED = new ConfigNode.Scalar(Place.of("default"), "");

    private Changes() {}

    /** Whether a key is to be removed. */
    @SuppressWarnings("ReferenceEquality") // an empty text that is set is equal
    static boolean isRemoved(ConfigNode value) {
        return value == REMOVED;
    }

    /** The problems with changing these keys of a running server. */
    static List<ConfigProblem> refusals(ConfigNode.Mapping current, Map<String, ConfigNode> changes) {
        List<ConfigProblem> problems = new ArrayList<>();
        changes.forEach((key, value) -> {
            String refusal = refusal(current, key, value);
            if (refusal != null) {
                problems.add(new ConfigProblem(value.at(), key, refusal));
            }
        });
        return problems;
    }

    /** Whether a key can change, or a named entry be added or removed, while the server runs. */
    static boolean live(String key) {
        KnobSpec spec = CATALOGUE.find(key);
        return spec == null ? isAddable(key) : spec.knob().dynamic();
    }

    /** Whether a key is known, but can change, come or go only at a start. */
    static boolean atStart(String key) {
        return !live(key) && (CATALOGUE.find(key) != null || names(key));
    }

    /** Whether the key is that of a named entry that may be added and removed while the server runs. */
    static boolean isAddable(String key) {
        KnobSpec above = above(key);
        return above != null && above.knob().dynamic();
    }

    /** Whether each named entry on the path to a key is in the configuration, or may be added and removed. */
    static boolean reachable(ConfigNode.Mapping current, String key) {
        KnobSpec spec = CATALOGUE.find(key);
        return spec == null || missingName(current, spec.key(), key, true) == null;
    }

    /** How a name with dots is written, if the key may lack that. */
    private static String quoting(String key) {
        for (String above : KeyPath.allAbove(key)) {
            KnobSpec spec = CATALOGUE.find(above);
            if (spec != null && spec.knob().names() == EntryNames.DOTTED) {
                return " A name with dots is quoted, as in " + KeyPath.join(above, "orders.in") + ".quota";
            }
        }
        return "";
    }

    private static @Nullable String refusal(ConfigNode.Mapping current, String key, ConfigNode value) {
        KnobSpec spec = CATALOGUE.find(key);
        if (spec == null && isAddable(key)) {
            return value instanceof ConfigNode.Mapping || removes(value)
                    ? null
                    : "this is a named entry: give its section whole, or null to remove it";
        }
        if (spec == null && names(key)) {
            return "entries are added and removed only at start: stop the server first, or write the file and restart";
        }
        if (spec == null) {
            String nearest = Nearest.of(
                    key, CATALOGUE.knobs().stream().map(KnobSpec::key).toList());
            return "unknown key" + (nearest == null ? "" : "; did you mean \"" + nearest + "\"?") + quoting(key);
        }
        if (spec.grouping() && !spec.typeName().startsWith("list of ")) {
            return "this is a section: set the keys in it";
        }
        if (!spec.knob().dynamic()) {
            return "takes effect only at start: write it into the file and restart";
        }
        String missing = missingName(current, spec.key(), key, false);
        return missing == null ? null : "there is no \"" + missing + "\" in the configuration";
    }

    /** Whether a value stands for the absence of an entry. */
    static boolean removes(ConfigNode value) {
        return value instanceof ConfigNode.Scalar s && s.text().isEmpty();
    }

    /** A key alone creates no entry: the name must be configured. */
    private static @Nullable String missingName(
            ConfigNode.Mapping current, String pattern, String key, boolean mayCome) {
        List<String> wanted = KeyPath.names(pattern);
        List<String> given = KeyPath.names(key);
        String path = "";
        for (int i = 0; i < wanted.size(); i++) {
            path = KeyPath.join(path, given.get(i));
            if (wanted.get(i).equals("*") && current.find(path) == null && !(mayCome && isAddable(path))) {
                return given.get(i);
            }
        }
        return null;
    }

    /**
     * The changes that turn the first configuration into the second; keys that the second does not have become {@link
     * #REMOVED}.
     *
     * @param problems receives keys for which no change can be given
     */
    static Map<String, ConfigNode> between(
            ConfigNode.Mapping from, ConfigNode.Mapping to, List<ConfigProblem> problems) {
        Map<String, ConfigNode> a = Overlay.leaves(from);
        Map<String, ConfigNode> b = Overlay.leaves(to);
        Map<String, ConfigNode> changes = new LinkedHashMap<>();
        b.forEach((key, value) -> {
            ConfigNode now = a.get(key);
            if (value instanceof ConfigNode.Mapping && isSection(from, key)) {
                return;
            }
            if (now == null || !Overlay.content(now).equals(Overlay.content(value))) {
                String entry = entryOf(CATALOGUE.find(key), key);
                ConfigNode whole = entry == null || from.find(entry) != null ? null : to.find(entry);
                if (entry != null && whole != null && isAddable(entry)) {
                    changes.put(entry, whole);
                } else {
                    changes.put(key, value);
                }
            }
        });
        a.forEach((key, value) -> {
            if (!b.containsKey(key) && to.find(key) == null) {
                KnobSpec spec = CATALOGUE.find(key);
                String entry = entryOf(spec, key);
                if (entry != null && to.find(entry) == null) {
                    changes.put(entry, new ConfigNode.Scalar(Place.of("default"), ""));
                } else if (spec == null || spec.grouping()) {
                    problems.add(
                            new ConfigProblem(value.at(), key, "did not exist then: remove it from the file by hand"));
                } else {
                    changes.put(key, REMOVED);
                }
            }
        });
        return changes;
    }

    /**
     * The overlay that makes a named entry of a lower configuration equal to this one: keys of the lower one that the
     * entry does not have get their declared default.
     */
    static ConfigNode over(ConfigNode.Mapping lower, String entry, ConfigNode value) {
        if (!(value instanceof ConfigNode.Mapping whole) || !(lower.find(entry) instanceof ConfigNode.Mapping below)) {
            return value;
        }
        ConfigNode.Mapping complete = whole;
        for (String key : Overlay.leaves(below).keySet()) {
            KnobSpec spec = CATALOGUE.find(entry + "." + key);
            if (spec != null && whole.find(key) == null) {
                complete = complete.with(key, defaultOf(spec));
            }
        }
        return complete;
    }

    /** Whether the key is that of a named entry, such as {@code listeners.http}. */
    private static boolean names(String key) {
        return above(key) != null;
    }

    /** The section of named entries that a key is an entry of; null for other keys. */
    private static @Nullable KnobSpec above(String key) {
        String section = KeyPath.above(key);
        KnobSpec above = section == null ? null : CATALOGUE.find(section);
        return above != null && above.typeName().startsWith("map of ") ? above : null;
    }

    /**
     * A configuration from which a key was removed, with the named entries above the key that another one has: an entry
     * without a key, such as {@code queues: {demo: {}}}, is there as well.
     */
    static ConfigNode.Mapping withEntries(ConfigNode.Mapping after, ConfigNode.Mapping of, String key) {
        ConfigNode.Mapping whole = after;
        for (String entry : KeyPath.allAbove(key)) {
            if (names(entry) && of.find(entry) instanceof ConfigNode.Mapping m && whole.find(entry) == null) {
                whole = whole.with(entry, ConfigNode.Mapping.empty(m.at()));
            }
        }
        return whole;
    }

    /** Whether a configuration has a section at a key, with keys or without. */
    static boolean isSection(ConfigNode.Mapping tree, String key) {
        return tree.find(key) instanceof ConfigNode.Mapping;
    }

    /** The named entry that a key lies in, or null. */
    private static @Nullable String entryOf(@Nullable KnobSpec spec, String key) {
        if (spec == null) {
            return names(key) ? key : null;
        }
        int star = KeyPath.names(spec.key()).indexOf("*");
        List<String> above = KeyPath.allAbove(key);
        return star < 0 ? null : star < above.size() ? above.get(star) : key;
    }

    /** The default of a key of the catalogue. */
    static ConfigNode defaultOf(String key) {
        KnobSpec spec = CATALOGUE.find(key);
        return spec == null ? REMOVED : defaultOf(spec);
    }

    private static ConfigNode defaultOf(KnobSpec spec) {
        Place at = Place.of("default");
        String text = spec.knob().value();
        if (!spec.typeName().startsWith("list of ")) {
            return new ConfigNode.Scalar(at, text);
        }
        List<ConfigNode> items = new ArrayList<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            items.add(new ConfigNode.Scalar(at, word.trim()));
        }
        return new ConfigNode.Sequence(at, items);
    }
}
