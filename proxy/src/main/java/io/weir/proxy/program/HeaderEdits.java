package io.weir.proxy.program;

import io.weir.http.Fields;
import java.util.List;
import java.util.Map;

/**
 * Fields to remove and to set. Immutable.
 *
 * @param remove names, in any case
 * @param set values by name
 */
public record HeaderEdits(List<String> remove, Map<String, String> set) {
    public HeaderEdits {
        remove = List.copyOf(remove);
        set = Map.copyOf(set);
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
