package io.weir.cluster.state.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** In what two specifications differ, by the configuration's keys. Confined to its maker. */
public final class Differences {
    private final List<String> keys = new ArrayList<>();

    /** Notes the key where the two are not equal. */
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
