package io.weir.base;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A configuration record's structure, read by reflection once, because a configuration may have ten thousand routes.
 * Immutable, shared; lives as long as its class.
 *
 * @param members by name, in the order of the constructor
 * @param keys allowed in the section, including those of inline sections
 */
record SectionShape(Map<String, Member> members, List<String> keys, Constructor<?> constructor) {
    /** One component: its type and its declaration. */
    record Member(Type type, Knob knob) {
        /** Its structure if its keys are inlined into the section. */
        SectionShape inlined() {
            if (!KnobTypes.isSection(type)) {
                throw new IllegalStateException(type + " cannot be inline: it is not a section");
            }
            return SectionShape.of((Class<?>) type);
        }
    }

    private static final ClassValue<SectionShape> SHAPES = new ClassValue<>() {
        @Override
        protected SectionShape computeValue(Class<?> type) {
            return read(type);
        }
    };

    SectionShape {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        keys = List.copyOf(keys);
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
            return new SectionShape(members, keys(type, members), constructor);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("cannot construct " + type, e);
        }
    }

    private static List<String> keys(Class<?> type, Map<String, Member> members) {
        List<String> keys = new ArrayList<>();
        members.forEach((name, member) -> {
            if (member.knob().inline()) {
                keys.addAll(member.inlined().keys());
            } else {
                keys.add(name);
            }
        });
        if (keys.size() != Set.copyOf(keys).size()) {
            throw new IllegalStateException(type + " has a key of its own and in an inline section: " + keys);
        }
        return keys;
    }
}
