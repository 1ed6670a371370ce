package io.weir.base;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Binds a {@link ConfigNode} tree to records whose components are declared knobs, and reports all problems, not only
 * the first. Used once for each binding; not thread-safe.
 */
public final class ConfigBinder {
    private final List<ConfigProblem> problems = new ArrayList<>();

    /** All problems found so far, in the order of the file. */
    public List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    /**
     * Binds a tree. A wrong value is replaced by its default, so that checking continues; the result must be used only
     * if {@link #problems()} is empty.
     */
    public <T extends Record> T bind(ConfigNode.Mapping tree, Class<T> root) {
        return root.cast(section(tree, root, ""));
    }

    /** An instance in which every knob has its default, as for an empty file. */
    public static <T extends Record> T defaults(Class<T> root) {
        ConfigBinder binder = new ConfigBinder();
        T value = binder.bind(ConfigNode.Mapping.empty(ConfigNode.Place.of("defaults")), root);
        List<ConfigProblem> missing = binder.problems();
        if (!missing.isEmpty()) {
            throw new IllegalStateException(root + " has knobs without usable defaults: " + missing);
        }
        return value;
    }

    private Object section(ConfigNode.Mapping tree, Class<?> type, String prefix) {
        SectionShape shape = SectionShape.of(type);
        for (String key : tree.entries().keySet()) {
            if (!shape.keys().contains(key)) {
                report(tree.placeOf(key), prefix + key, unknown(key, shape.keys()));
            }
        }
        return construct(tree, type, prefix, shape, members(tree, shape, prefix));
    }

    private @Nullable Object[] members(ConfigNode.Mapping tree, SectionShape shape, String prefix) {
        @Nullable Object[] values = new @Nullable Object[shape.members().size()];
        int i = 0;
        for (Map.Entry<String, SectionShape.Member> member : shape.members().entrySet()) {
            values[i++] = member.getValue().knob().inline()
                    ? inline(tree, (Class<?>) member.getValue().type(), prefix)
                    : component(tree, member.getValue(), member.getKey(), prefix + member.getKey());
        }
        return values;
    }

    /** Binds a section whose keys are among those of the enclosing section. */
    private Object inline(ConfigNode.Mapping tree, Class<?> type, String prefix) {
        SectionShape shape = SectionShape.of(type);
        return construct(tree, type, prefix, shape, members(tree, shape, prefix));
    }

    private Object construct(
            ConfigNode.Mapping tree, Class<?> type, String prefix, SectionShape shape, @Nullable Object[] values) {
        try {
            return shape.constructor().newInstance(values);
        } catch (InvocationTargetException e) {
            String key = prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1);
            Throwable cause = e.getCause();
            // what was left out because it is wrong may be what the whole misses
            if (prefix.isEmpty() || problems.stream().noneMatch(p -> p.key().startsWith(prefix))) {
                report(tree.at(), key, cause == null ? e.toString() : String.valueOf(cause.getMessage()));
            }
            return defaults(type.asSubclass(Record.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot construct " + type, e);
        }
    }

    private @Nullable Object component(ConfigNode.Mapping tree, SectionShape.Member member, String key, String full) {
        Knob knob = member.knob();
        Type type = member.type();
        ConfigNode node = tree.entries().get(key);
        if (node == null) {
            if (knob.required()) {
                report(tree.at(), full, "a value is required: " + knob.doc());
            }
            return absent(tree, knob, type, full);
        }
        return value(node, knob, type, full);
    }

    private @Nullable Object absent(ConfigNode.Mapping tree, Knob knob, Type type, String full) {
        if (KnobTypes.isSection(type)) {
            return section(ConfigNode.Mapping.empty(tree.at()), (Class<?>) type, full + ".");
        }
        if (KnobTypes.isList(type)) {
            return defaultList(knob, type, full);
        }
        if (KnobTypes.isMap(type)) {
            return Map.of();
        }
        return knob.value().isEmpty()
                ? KnobValues.zero(type)
                : scalar(new ConfigNode.Scalar(ConfigNode.Place.of("default"), knob.value()), knob, type, full);
    }

    private List<?> defaultList(Knob knob, Type type, String full) {
        List<Object> items = new ArrayList<>();
        if (!knob.value().isEmpty()) {
            for (String word : knob.value().split(",", -1)) {
                ConfigNode.Scalar s = new ConfigNode.Scalar(ConfigNode.Place.of("default"), word.trim());
                Object v = scalar(s, knob, KnobTypes.elementOf(type), full);
                if (v != null) {
                    items.add(v);
                }
            }
        }
        return List.copyOf(items);
    }

    private @Nullable Object value(ConfigNode node, Knob knob, Type type, String full) {
        if (node instanceof ConfigNode.Scalar s
                && s.text().isEmpty()
                && (KnobTypes.isComposite(type) || mayLack(knob, type))) {
            return absent(ConfigNode.Mapping.empty(node.at()), knob, type, full);
        }
        if (KnobTypes.isSection(type)) {
            return node instanceof ConfigNode.Mapping m
                    ? section(m, (Class<?>) type, full + ".")
                    : mismatch(node, knob, type, full, "a section with keys");
        }
        if (KnobTypes.isMap(type)) {
            return node instanceof ConfigNode.Mapping m
                    ? map(m, knob, type, full)
                    : mismatch(node, knob, type, full, "named entries");
        }
        if (KnobTypes.isList(type)) {
            return node instanceof ConfigNode.Sequence s
                    ? list(s, knob, type, full)
                    : mismatch(node, knob, type, full, "a list");
        }
        return node instanceof ConfigNode.Scalar s
                ? scalar(s, knob, type, full)
                : mismatch(node, knob, type, full, KnobTypes.describe(type));
    }

    /** Whether the knob has no value if it is not set; then an empty value means no value, too. */
    private static boolean mayLack(Knob knob, Type type) {
        boolean primitive = type instanceof Class<?> c && c.isPrimitive();
        return !primitive && knob.value().isEmpty() && !knob.required();
    }

    private @Nullable Object mismatch(ConfigNode node, Knob knob, Type type, String full, String expected) {
        mismatched(node, full, expected);
        return absent(ConfigNode.Mapping.empty(node.at()), knob, type, full);
    }

    private void mismatched(ConfigNode node, String full, String expected) {
        report(node.at(), full, "expected " + expected + ", found " + kind(node));
    }

    private static String kind(ConfigNode node) {
        if (node instanceof ConfigNode.Scalar s) {
            return "the value \"" + Printable.word(s.text()) + "\"";
        }
        return node instanceof ConfigNode.Sequence ? "a list" : "a section with keys";
    }

    private Map<String, Object> map(ConfigNode.Mapping m, Knob knob, Type type, String full) {
        Map<String, Object> bound = new LinkedHashMap<>();
        for (Map.Entry<String, ConfigNode> e : m.entries().entrySet()) {
            String entry = KeyPath.join(full, e.getKey());
            EntryNames names = knob.names();
            if (!names.fit(e.getKey())) {
                report(m.placeOf(e.getKey()), entry, names.form());
                continue;
            }
            Object v = element(e.getValue(), knob, KnobTypes.elementOf(type), entry);
            if (v != null) {
                bound.put(e.getKey(), v);
            }
        }
        return Collections.unmodifiableMap(bound);
    }

    private List<?> list(ConfigNode.Sequence s, Knob knob, Type type, String full) {
        List<Object> bound = new ArrayList<>();
        for (int i = 0; i < s.items().size(); i++) {
            Object v = element(s.items().get(i), knob, KnobTypes.elementOf(type), full + "[" + i + "]");
            if (v != null) {
                bound.add(v);
            }
        }
        return List.copyOf(bound);
    }

    /**
     * Binds an item of a list or a named value: an invalid one is reported and omitted, because there are defaults for
     * the whole only.
     */
    private @Nullable Object element(ConfigNode node, Knob knob, Type type, String full) {
        if (KnobTypes.isComposite(type)) {
            return value(node, knob, type, full);
        }
        if (!(node instanceof ConfigNode.Scalar s)) {
            mismatched(node, full, KnobTypes.describe(type));
            return null;
        }
        if (s.text().isEmpty() && mayLack(knob, type)) {
            return null;
        }
        try {
            return KnobValues.parse(s.text(), knob, type);
        } catch (IllegalArgumentException e) {
            wrong(s, knob, full, e);
            return null;
        }
    }

    private void wrong(ConfigNode.Scalar s, Knob knob, String full, IllegalArgumentException e) {
        report(
                s.at(),
                full,
                e.getMessage() + ", found \"" + (knob.secret() ? "***" : Printable.word(TextFile.shown(s.text())))
                        + "\"");
    }

    private @Nullable Object scalar(ConfigNode.Scalar s, Knob knob, Type type, String full) {
        try {
            return KnobValues.parse(s.text(), knob, type);
        } catch (IllegalArgumentException e) {
            if (s.at().equals(ConfigNode.Place.of("default"))) {
                throw new IllegalStateException(full + " declares an unusable default: " + e.getMessage(), e);
            }
            wrong(s, knob, full, e);
            return absent(ConfigNode.Mapping.empty(s.at()), knob, type, full);
        }
    }

    private static String unknown(String key, List<String> known) {
        String nearest = Nearest.of(key, known);
        return "unknown key"
                + (nearest == null ? "." : "; did you mean \"" + nearest + "\"?")
                + " Known here: " + String.join(", ", known);
    }

    private void report(ConfigNode.Place at, String key, String what) {
        problems.add(new ConfigProblem(at, key, what));
    }
}
