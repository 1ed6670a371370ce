package io.weir.proxy.function;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fields to remove, to set and to add. Immutable.
 *
 * @param remove names, in any case
 * @param set values by name
 * @param add fields that stand beside those of the same name
 */
public record HeaderEdits(List<String> remove, Map<String, String> set, List<Added> add) {
    /** A field to add. */
    public record Added(String name, String value) {}

    /** Edits that add nothing. */
    public HeaderEdits(List<String> remove, Map<String, String> set) {
        this(remove, set, List.of());
    }

    /** Framing and connection fields are managed by the proxy. */
    private static final Set<FieldName> UNTOUCHABLE = Set.of(
            FieldName.CONTENT_LENGTH,
            FieldName.TRANSFER_ENCODING,
            FieldName.CONNECTION,
            FieldName.TRAILER,
            FieldName.UPGRADE,
            FieldName.TE,
            FieldName.KEEP_ALIVE);

    /** No changes. */
    public static final HeaderEdits NONE = new HeaderEdits(List.of(), Map.of());

    /**
     * Validates the edits. @throws IllegalArgumentException for an invalid field, and for fields that frame the message
     */
    public HeaderEdits {
        remove = List.copyOf(remove);
        set = Map.copyOf(set);
        add = List.copyOf(add);
        Fields trial = new Fields();
        remove.forEach(name -> trial.add(name, ""));
        set.forEach(trial::add);
        add.forEach(a -> trial.add(a.name(), a.value()));
        for (int i = 0; i < trial.size(); i++) {
            FieldName id = trial.id(i);
            if (id != null && UNTOUCHABLE.contains(id)) {
                throw new IllegalArgumentException(
                        "the field " + id.canonical() + " frames the message: leave it to the proxy");
            }
        }
    }

    /** These edits and, for fields that they do not touch, the others. */
    public HeaderEdits and(HeaderEdits others) {
        Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        known.addAll(remove);
        known.addAll(set.keySet());
        List<String> removed = new ArrayList<>(remove);
        Map<String, String> values = new HashMap<>(set);
        others.remove.stream().filter(name -> !known.contains(name)).forEach(removed::add);
        others.set.forEach((name, value) -> {
            if (!known.contains(name)) {
                values.put(name, value);
            }
        });
        List<Added> added = new ArrayList<>(add);
        others.add.stream().filter(a -> !known.contains(a.name())).forEach(added::add);
        return new HeaderEdits(removed, values, added);
    }

    /** Whether a field is removed or set. */
    public boolean touches(String name) {
        return remove.stream().anyMatch(name::equalsIgnoreCase)
                || set.keySet().stream().anyMatch(name::equalsIgnoreCase);
    }

    /** Validates a field's value. @throws IllegalArgumentException if it is invalid */
    public static void checkValue(String value) {
        new Fields().add("X", value);
    }

    /** Whether nothing changes. */
    public boolean isEmpty() {
        return remove.isEmpty() && set.isEmpty() && add.isEmpty();
    }

    /**
     * Applies the edits to a request's fields. Some origins treat {@code X_User} as {@code X-User}, so editing the
     * latter also removes the former.
     */
    public void applyToRequest(Fields fields) {
        for (int i = fields.size() - 1; i >= 0; i--) {
            if (fields.id(i) == null) {
                String name = fields.name(i);
                if (name.indexOf('_') >= 0 && touches(name.replace('_', '-'))) {
                    fields.removeAt(i);
                }
            }
        }
        apply(fields);
    }

    /** Applies the edits to the fields. */
    public void apply(Fields fields) {
        for (int i = 0; i < remove.size(); i++) {
            fields.removeAll(remove.get(i));
        }
        set.forEach((name, value) -> {
            fields.removeAll(name);
            fields.add(name, value);
        });
        add.forEach(a -> fields.add(a.name(), a.value()));
    }
}
