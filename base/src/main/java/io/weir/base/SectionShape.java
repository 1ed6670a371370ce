package io.weir.base;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What reflection says of a configuration record, asked once: a configuration may hold ten thousand routes. Immutable,
 * shared; lives as long as its class.
 *
 * @param members by key, in the order of the constructor
 */
record SectionShape(Map<String, Member> members, Constructor<?> constructor) {
    /** One component: its type, its declaration, and the value for a section without a default of its own. */
    record Member(Type type, Knob knob) {}

    private static final ClassValue<SectionShape> SHAPES = new ClassValue<>() {
        @Override
        protected SectionShape computeValue(Class<?> type) {
            return read(type);
        }
    };

    SectionShape {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    static SectionShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    private static SectionShape read(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Map<String, Member> members = new LinkedHashMap<>();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            RecordComponent c = components[i];
            Knob knob = c.getAnnotation(Knob.class);
            if (knob == null) {
                throw new IllegalStateException(type + "." + c.getName() + " lacks @Knob");
            }
            members.put(KnobTypes.kebab(c.getName()), new Member(c.getGenericType(), knob));
            types[i] = c.getType();
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new SectionShape(members, constructor);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("cannot construct " + type, e);
        }
    }

    /** The keys that may stand in the section. */
    List<String> keys() {
        return List.copyOf(members.keySet());
    }
}
