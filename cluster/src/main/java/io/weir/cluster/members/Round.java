package io.weir.cluster.members;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What one round of introductions brought, by address. Confined to the loop; lives until the next round. */
record Round(Map<String, Introduction> heard, Map<String, String> problems) {
    Round() {
        this(new TreeMap<>(), new TreeMap<>());
    }

    /** Who was heard, in order. */
    List<String> names() {
        return List.copyOf(
                new TreeSet<>(heard.values().stream().map(Introduction::name).toList()));
    }
}
