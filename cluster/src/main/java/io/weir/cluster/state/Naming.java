package io.weir.cluster.state;

import io.weir.base.Fence;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The rules of the naming tree. Pure but for the draft that they change. */
final class Naming {
    private static final char SEPARATOR = '/';

    private Naming() {}

    static Answer apply(Draft d, NamingCommand command) {
        return switch (command) {
            case NamingCommand.Bind c -> bind(d, c);
            case NamingCommand.Rebind c -> rebind(d, c);
            case NamingCommand.Unbind c -> unbind(d, c);
        };
    }

    private static Answer bind(Draft d, NamingCommand.Bind c) {
        Answer refusal = d.fenced(c.lease(), c.fence(), "binding " + c.path());
        if (refusal != null) {
            return refusal;
        }
        Binding there = d.bindings.get(c.path());
        if (there == null) {
            return put(d, c.path(), c.lease(), c.fence(), c.value(), null);
        }
        boolean same = there.lease().equals(c.lease())
                && there.fence().equals(c.fence())
                && there.value().equals(c.value());
        return same ? d.ok() : bound(there);
    }

    private static Answer rebind(Draft d, NamingCommand.Rebind c) {
        Answer refusal = d.fenced(c.lease(), c.fence(), "rebinding " + c.path());
        if (refusal != null) {
            return refusal;
        }
        Binding there = d.bindings.get(c.path());
        return there == null || mayTouch(there, c.lease())
                ? put(d, c.path(), c.lease(), c.fence(), c.value(), there)
                : bound(there);
    }

    private static Answer unbind(Draft d, NamingCommand.Unbind c) {
        Answer refusal = d.fenced(c.lease(), c.fence(), "unbinding " + c.path());
        if (refusal != null) {
            return refusal;
        }
        Binding there = d.bindings.get(c.path());
        if (there != null && !mayTouch(there, c.lease())) {
            return bound(there);
        }
        if (there != null) {
            remove(d, there);
        }
        return d.ok();
    }

    private static boolean mayTouch(Binding there, String lease) {
        return there.lease().equals(lease) || there.value() instanceof BindingValue.Text;
    }

    private static Answer put(
            Draft d, String path, String lease, Fence fence, BindingValue value, @Nullable Binding before) {
        if (!wellFormed(path)) {
            return Draft.refused(Refusal.MALFORMED, "a name has parts separated by single slashes: " + path);
        }
        Answer refusal = before == null ? inTheWay(d, path) : null;
        if (refusal != null) {
            return refusal;
        }
        if (before == null && d.bindings.size() >= Limits.BINDINGS) {
            return Draft.full("names bound", Limits.BINDINGS);
        }
        Binding now = new Binding(path, lease, fence, "" + d.peek().owner(lease), value, d.index);
        d.bindings.put(path, now);
        d.tell(new Event.BindingChanged(path, before, now));
        return d.ok();
    }

    private static boolean wellFormed(String path) {
        return !path.isEmpty()
                && path.charAt(0) != SEPARATOR
                && path.charAt(path.length() - 1) != SEPARATOR
                && !path.contains("//");
    }

    /** A name is an object or a context, not both: refused when there is an object above it, or a name below it. */
    private static @Nullable Answer inTheWay(Draft d, String path) {
        for (int i = path.indexOf(SEPARATOR); i > 0; i = path.indexOf(SEPARATOR, i + 1)) {
            Binding above = d.bindings.get(path.substring(0, i));
            if (above != null) {
                return bound(above);
            }
        }
        SortedMap<String, Binding> below = d.bindings.view().subMap(path + SEPARATOR, path + (char) (SEPARATOR + 1));
        return below.isEmpty() ? null : bound(below.firstEntry().getValue());
    }

    private static Answer bound(Binding there) {
        return Draft.refused(
                Refusal.NAME_BOUND,
                there.path() + " is bound under " + there.lease() + " of " + there.member() + " with fence "
                        + there.fence());
    }

    private static void remove(Draft d, Binding there) {
        d.bindings.remove(there.path());
        d.tell(new Event.BindingChanged(there.path(), there, null));
    }

    /** The lease ended: nothing stands under it any more. */
    static void drop(Draft d, String lease) {
        for (Binding b : List.copyOf(d.bindings.view().values())) {
            if (b.lease().equals(lease)) {
                remove(d, b);
            }
        }
    }
}
