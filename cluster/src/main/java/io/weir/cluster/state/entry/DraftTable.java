package io.weir.cluster.state.entry;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One of the state's maps while an entry is applied: copied with the first change. Confined to that. */
public final class DraftTable<V> {
    private SortedMap<String, V> now;
    private boolean copied;

    public DraftTable(SortedMap<String, V> before) {
        now = before;
    }

    public @Nullable V get(String name) {
        return now.get(name);
    }

    public int size() {
        return now.size();
    }

    public void put(String name, V value) {
        own().put(name, value);
    }

    public void remove(String name) {
        own().remove(name);
    }

    /** As it is at this moment; not to be kept beyond the next change. */
    public SortedMap<String, V> view() {
        return now;
    }

    /** For the next state. */
    public SortedMap<String, V> done() {
        return copied ? Collections.unmodifiableSortedMap(now) : now;
    }

    private SortedMap<String, V> own() {
        if (!copied) {
            now = new TreeMap<>(now);
            copied = true;
        }
        return now;
    }
}
