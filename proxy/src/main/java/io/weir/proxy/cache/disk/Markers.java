package io.weir.proxy.cache.disk;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The records that name the fields which select variants, as they were last seen. The writer's only. */
final class Markers {
    private static final int MOST = 4096;

    private final DiskIndex index;
    private final DiskReader reader;
    private final Map<Long, Marker> known = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Marker> eldest) {
            return size() > MOST;
        }
    };

    Markers(DiskIndex index, DiskReader reader) {
        this.index = index;
        this.reader = reader;
    }

    /** A key's marker. */
    record Marker(long location, List<String> names) {}

    void put(long hash, Marker marker) {
        known.put(hash, marker);
    }

    /** The marker that a key has now; null: none, or it cannot be read. */
    @Nullable
    Marker find(long hash) {
        long location = index.find(hash);
        if (!Location.marker(location)) {
            return null;
        }
        Marker last = known.get(hash);
        if (last != null && Location.same(last.location(), location)) {
            return last;
        }
        List<String> names = reader.names(hash, location);
        if (names == null) {
            return null;
        }
        Marker found = new Marker(location, names);
        known.put(hash, found);
        return found;
    }
}
