package io.weir.base;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One declared knob as read from its {@link Knob} annotation. Immutable.
 *
 * @param key full key in dotted kebab case; {@code *} is a placeholder for a name chosen by the operator ({@code
 * listeners.*.backlog})
 * @param type the Java type of the value
 * @param component the record component that declares it
 */
public record KnobSpec(String key, Type type, RecordComponent component) {

    public Knob knob() {
        Knob knob = component.getAnnotation(Knob.class);
        if (knob == null) {
            throw new IllegalStateException(component + " lacks @Knob");
        }
        return knob;
    }

    /** The name of the type for operators. */
    public String typeName() {
        return KnobTypes.isBytes(type, knob().unit()) ? "integer or size" : KnobTypes.describe(type);
    }

    /** Whether it only groups other knobs: a section, named sections or a list of sections. */
    public boolean grouping() {
        Type t = type;
        while (KnobTypes.isList(t) || KnobTypes.isMap(t)) {
            t = KnobTypes.elementOf(t);
        }
        return KnobTypes.isSection(t);
    }

    /** The text form of a value, as in the file; secrets are hidden. */
    public String format(@Nullable Object value) {
        Knob knob = knob();
        return knob.secret() && value != null ? "***" : KnobValues.format(value, knob.auto());
    }

    /** Values of an enumeration, empty for other types. */
    public List<String> choices() {
        return KnobTypes.choices(type);
    }
}
