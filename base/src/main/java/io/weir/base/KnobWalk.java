package io.weir.base;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads every knob of a bound configuration with its value, for {@code GET /knobs}. Stateless. */
public final class KnobWalk {
    /**
     * One knob with its current value.
     *
     * @param key full key with real names and indexes in it ({@code listeners.http.backlog}, {@code
     * proxy.routes[0].to})
     * @param spec its declaration
     * @param value null if it is not set
     */
    public record Item(String key, KnobSpec spec, @Nullable Object value) {
        /** The value as in the file. */
        public String text() {
            return spec.format(value);
        }
    }

    private final List<Item> items = new ArrayList<>();

    private KnobWalk() {}

    /** Every knob that has a value of its own, in declaration order; sections are traversed. */
    public static List<Item> of(Record root) {
        KnobWalk walk = new KnobWalk();
        walk.section(root, "", "");
        return List.copyOf(walk.items);
    }

    private void section(Record section, String prefix, String pattern) {
        for (RecordComponent c : section.getClass().getRecordComponents()) {
            String name = KnobTypes.kebab(c.getName());
            KnobSpec spec = new KnobSpec(pattern + name, c.getGenericType(), c);
            if (spec.knob().inline() && read(section, c) instanceof Record inner) {
                section(inner, prefix, pattern);
            } else {
                visit(spec, spec.type(), prefix + name, pattern + name, read(section, c));
            }
        }
    }

    private void visit(KnobSpec spec, Type type, String key, String pattern, @Nullable Object value) {
        if (KnobTypes.isSection(type) && value instanceof Record r) {
            section(r, key + ".", pattern + ".");
        } else if (KnobTypes.isMap(type) && value instanceof Map<?, ?> m) {
            Type element = KnobTypes.elementOf(type);
            m.forEach((name, v) -> visit(spec, element, KeyPath.join(key, String.valueOf(name)), pattern + ".*", v));
        } else if (KnobTypes.isList(type) && spec.grouping() && value instanceof List<?> l) {
            for (int i = 0; i < l.size(); i++) {
                visit(spec, KnobTypes.elementOf(type), key + "[" + i + "]", pattern + "[]", l.get(i));
            }
        } else {
            items.add(new Item(key, spec, value));
        }
    }

    private static @Nullable Object read(Record section, RecordComponent c) {
        try {
            var accessor = c.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(section);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + c, e);
        }
    }
}
