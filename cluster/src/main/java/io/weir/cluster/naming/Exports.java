package io.weir.cluster.naming;

import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.BindingChanged;
import io.weir.wire.invoke.description.Export;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects behind the names bound by this member. An entry is removed with its name: when that is unbound, or its
 * lease ends. Shared; bounded by the number of names.
 */
final class Exports implements StateListener {
    /** An exported object and the lease under which it was bound. */
    record Exported(BindingLease under, Export export) {
        String lease() {
            return under.lease();
        }

        boolean boundBy(Binding b) {
            return lease().equals(b.lease()) && export.fence().equals(b.fence());
        }
    }

    private final Map<String, Exported> byPath = new ConcurrentHashMap<>();

    @Nullable
    Exported get(String path) {
        return byPath.get(path);
    }

    /** Called before the name is bound, so that the first call finds the object. */
    @Nullable
    Exported put(String path, Exported exported) {
        return byPath.put(path, exported);
    }

    /** Removes the export on this member, regardless of the name's state in the cluster. */
    void drop(String path, Exported exported) {
        byPath.remove(path, exported);
    }

    /** Restores the previous export after the name could not be bound. */
    void undo(String path, Exported exported, @Nullable Exported before) {
        byPath.computeIfPresent(path, (_, e) -> e.equals(exported) ? before : e);
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        for (Event e : events) {
            if (e instanceof BindingChanged c && c.before() != null) {
                gone(c.path(), c.before(), c.after());
            }
        }
    }

    private void gone(String path, Binding before, @Nullable Binding after) {
        byPath.computeIfPresent(path, (_, e) -> e.boundBy(before) && (after == null || !e.boundBy(after)) ? null : e);
    }

    /** Events were missed: removes exports whose lease moved; exports that are just being bound remain. */
    @Override
    public void restored(ClusterState now) {
        byPath.values().removeIf(e -> !now.current(e.lease(), e.export().fence()));
    }

    @Override
    public void leadership(boolean leading, long term) {
        // names do not depend on the leader
    }

    int size() {
        return byPath.size();
    }
}
