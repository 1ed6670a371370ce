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
 * Fields to remove and to set. Immutable.
 *
 * @param remove names, in any case
 * @param set values by name
 */
public record HeaderEdits(List<String> remove, Map<String, String> set) {
    /** Framing and connection are the proxy's own business. */
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

    /** Checks. @throws IllegalArgumentException for what is no field, and for fields that frame the message */
    public HeaderEdits {
        remove = List.copyOf(remove);
        set = Map.copyOf(set);
        Fields trial = new Fields();
        remove.forEach(name -> trial.add(name, ""));
        set.forEach(trial::add);
        for (int i = 0; i < trial.size(); i++) {
            FieldName id = trial.id(i);
            if (id != null && UNTOUCHABLE.contains(id)) {
                throw new IllegalArgumentException(
                        "the field " + id.canonical() + " frames the message: leave it to the proxy");
            }
        }
    }

    /** These and, where these say nothing of a field, the others. */
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
        return new HeaderEdits(removed, values);
    }

    /** Whether a field is removed or set anew. */
    public boolean touches(String name) {
        return remove.stream().anyMatch(name::equalsIgnoreCase)
                || set.keySet().stream().anyMatch(name::equalsIgnoreCase);
    }

    /** Checks a field's value. @throws IllegalArgumentException when it is none */
    public static void checkValue(String value) {
        new Fields().add("X", value);
    }

    /** Whether nothing changes. */
    public boolean isEmpty() {
        return remove.isEmpty() && set.isEmpty();
    }

    /**
     * Changes a request's fields. Some origins take {@code X_User} for {@code X-User}: so does who sets or removes that.
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

    /** Changes the fields. */
    public void apply(Fields fields) {
        for (int i = 0; i < remove.size(); i++) {
            fields.removeAll(remove.get(i));
        }
        set.forEach((name, value) -> {
            fields.removeAll(name);
            fields.add(name, value);
        });
    }
}
