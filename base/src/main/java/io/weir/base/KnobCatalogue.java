package io.weir.base;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every knob below a root record, in declaration order, for documentation and live changes. Immutable. */
public final class KnobCatalogue {
    private final List<KnobSpec> knobs;

    private KnobCatalogue(List<KnobSpec> knobs) {
        this.knobs = List.copyOf(knobs);
    }

    /** Reads the declarations of a configuration record and all records below it. */
    public static KnobCatalogue of(Class<? extends Record> root) {
        List<KnobSpec> found = new ArrayList<>();
        collect(root, "", found);
        return new KnobCatalogue(found);
    }

    /** All knobs, including sections (their type name is "section"). */
    public List<KnobSpec> knobs() {
        return knobs;
    }

    /** The knob for a full key with real names in it ({@code listeners.http.backlog}), or null if there is none. */
    public @Nullable KnobSpec find(String key) {
        for (KnobSpec spec : knobs) {
            if (KeyPath.matches(spec.key(), key)) {
                return spec;
            }
        }
        return null;
    }

    private static void collect(Class<?> type, String prefix, List<KnobSpec> into) {
        for (RecordComponent c : type.getRecordComponents()) {
            String key = prefix + KnobTypes.kebab(c.getName());
            KnobSpec spec = new KnobSpec(key, c.getGenericType(), c);
            if (spec.knob().inline()) {
                collect(c.getType(), prefix, into);
            } else {
                into.add(spec);
                descend(c.getGenericType(), key, into);
            }
        }
    }

    private static void descend(Type type, String key, List<KnobSpec> into) {
        if (KnobTypes.isSection(type)) {
            collect((Class<?>) type, key + ".", into);
        } else if (KnobTypes.isMap(type)) {
            descend(KnobTypes.elementOf(type), key + ".*", into);
        } else if (KnobTypes.isList(type)) {
            descend(KnobTypes.elementOf(type), key + "[]", into);
        }
    }
}
