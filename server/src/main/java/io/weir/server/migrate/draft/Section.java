package io.weir.server.migrate.draft;

import io.weir.base.ConfigNode.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A mapping of the translation, in the order of its keys, with the places that its values come from. Confined. */
public final class Section {
    /**
     * A value.
     *
     * @param value a text, a list of texts, a section or a list of sections
     * @param from null: no comment
     */
    public record Entry(Object value, @Nullable Place from) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private @Nullable Place from;

    /** Where the section as a whole comes from. */
    public Section from(@Nullable Place at) {
        from = at;
        return this;
    }

    @Nullable
    public Place from() {
        return from;
    }

    public Map<String, Entry> entries() {
        return entries;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    public boolean has(String key) {
        return entries.containsKey(key);
    }

    /** Sets a value, in place of one that was set before. */
    public Section put(String key, Object value, @Nullable Place at) {
        entries.put(key, new Entry(value instanceof List<?> list ? List.copyOf(list) : value.toString(), at));
        return this;
    }

    public Section put(String key, Object value) {
        return put(key, value, null);
    }

    /** Sets a value unless there is one. */
    public void putFirst(String key, Object value, Place at) {
        if (!has(key)) {
            put(key, value, at);
        }
    }

    public void remove(String key) {
        entries.remove(key);
    }

    /** The section of that name, made if there is none; a dot leads to one within it. */
    public Section section(String path) {
        Section here = this;
        for (String key : path.split("\\.", -1)) {
            Entry e = here.entries.computeIfAbsent(key, _ -> new Entry(new Section(), null));
            here = e.value() instanceof Section s ? s : new Section();
        }
        return here;
    }

    /** The list of sections of that name, made if there is none. */
    @SuppressWarnings("unchecked") // only lists that are made here are asked for
    public List<Section> list(String key) {
        return (List<Section>) entries.computeIfAbsent(key, _ -> new Entry(new ArrayList<Section>(), null))
                .value();
    }

    /** The text of that key, or null. */
    @Nullable
    public String text(String key) {
        Entry e = entries.get(key);
        return e != null && e.value() instanceof String s ? s : null;
    }

    /** The texts of that key; empty if there are none. */
    public List<String> texts(String key) {
        Entry e = entries.get(key);
        return e == null || !(e.value() instanceof List<?> l)
                ? List.of()
                : l.stream().map(String::valueOf).toList();
    }

    /** A copy that can be changed alone. */
    public Section copy() {
        Section made = new Section();
        made.from = from;
        entries.forEach((key, e) ->
                made.entries.put(key, e.value() instanceof Section s ? new Entry(s.copy(), e.from()) : copyOf(e)));
        return made;
    }

    private static Entry copyOf(Entry e) {
        if (e.value() instanceof ArrayList<?> list) {
            List<Object> items = new ArrayList<>();
            list.forEach(i -> items.add(i instanceof Section s ? s.copy() : i));
            return new Entry(items, e.from());
        }
        return e;
    }
}
