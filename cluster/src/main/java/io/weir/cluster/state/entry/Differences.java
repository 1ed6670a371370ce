package io.weir.cluster.state.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The differences of two specifications, by configuration key. Confined to its creator. */
public final class Differences {
    private final List<String> keys = new ArrayList<>();

    /** Adds the key if the two values differ. */
    public Differences of(String key, @Nullable Object a, @Nullable Object b) {
        if (!Objects.equals(a, b)) {
            keys.add(key);
        }
        return this;
    }

    public List<String> keys() {
        return keys;
    }
}
