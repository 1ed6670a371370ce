package io.weir.cluster.state.entry;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * A map of the state while an entry is applied. The state before it keeps its own: both share what did not change, so
 * that an entry costs the same with ten singletons and with ten thousand. Confined to the application of the entry.
 */
public final class DraftTable<V> {
    private PSortedMap<String, V> now;

    public DraftTable(SortedMap<String, V> before) {
        now = before instanceof PSortedMap<String, V> shared ? shared : TreePMap.fromSortedMap(before);
    }

    public @Nullable V get(String name) {
        return now.get(name);
    }

    public int size() {
        return now.size();
    }

    public void put(String name, V value) {
        now = now.plus(name, value);
    }

    public void remove(String name) {
        now = now.minus(name);
    }

    /** A view of the current content; must not be used after the next change. */
    public SortedMap<String, V> view() {
        return now;
    }

    /** The result for the next state. */
    public SortedMap<String, V> done() {
        return now;
    }
}
