package io.weir.proxy.program.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables that functions set on a request. Confined to its run; takes no memory until there is one. */
final class RunVariables {
    /** How many there may be. */
    static final int MAX = 64;

    /** Most characters of one. */
    static final int MAX_TEXT = 65_536;

    private @Nullable Map<String, String> values;

    void clear() {
        values = null;
    }

    @Nullable
    String get(String name) {
        return values == null ? null : values.get(name);
    }

    void remove(String name) {
        if (values != null) {
            values.remove(name);
        }
    }

    /** A copy. */
    Map<String, String> all() {
        return values == null ? Map.of() : Map.copyOf(values);
    }

    /** Returns false if there are too many, or it is too long. */
    boolean put(String name, String value) {
        if (value.length() > MAX_TEXT) {
            return false;
        }
        Map<String, String> v = values;
        if (v == null) {
            v = new LinkedHashMap<>();
            values = v;
        }
        if (v.size() >= MAX && !v.containsKey(name)) {
            return false;
        }
        v.put(name, value);
        return true;
    }
}
