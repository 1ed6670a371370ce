package io.weir.http.structured;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A member of a list or of a dictionary: an item or an inner list, with parameters in order (RFC 9651 3). Immutable. */
public sealed interface Member {

    /** Parameters by key, in the order of the field; {@code ;a} alone is true. */
    Map<String, BareItem> parameters();

    /** An item (3.3). */
    record Item(BareItem value, Map<String, BareItem> parameters) implements Member {
        public Item {
            parameters = ordered(parameters);
        }

        public Item(BareItem value) {
            this(value, Map.of());
        }
    }

    /** An inner list (3.1.1). */
    record InnerList(List<Item> items, Map<String, BareItem> parameters) implements Member {
        public InnerList {
            items = List.copyOf(items);
            parameters = ordered(parameters);
        }
    }

    private static Map<String, BareItem> ordered(Map<String, BareItem> parameters) {
        return parameters.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }
}
