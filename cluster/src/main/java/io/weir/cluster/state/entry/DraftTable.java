package io.weir.cluster.state.entry;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A map of the state while an entry is applied: copied on the first change. Confined to the application of the entry.
 */
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

    /** A view of the current content; must not be used after the next change. */
    public SortedMap<String, V> view() {
        return now;
    }

    /** The result for the next state. */
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
