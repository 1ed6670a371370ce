package io.weir.cluster.state.naming;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseRules;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the naming tree. Pure except for their changes to the draft; confined to the application of one entry.
 */
public final class NamingRules {
    private static final char SEPARATOR = '/';

    private final Draft draft;
    private final DraftTable<Binding> bindings;
    private final LeaseRules leases;

    /** Starts from the state before the entry. */
    public NamingRules(Draft draft, SortedMap<String, Binding> before, LeaseRules leases) {
        this.draft = draft;
        this.bindings = new DraftTable<>(before);
        this.leases = leases;
    }

    /** The result for the next state. */
    public SortedMap<String, Binding> done() {
        return bindings.done();
    }

    public Answer apply(NamingCommand command) {
        return switch (command) {
            case NamingCommand.Bind c -> bind(c);
            case NamingCommand.Rebind c -> rebind(c);
            case NamingCommand.Unbind c -> unbind(c);
        };
    }

    private Answer bind(NamingCommand.Bind c) {
        Answer refusal = leases.fenced(c.lease(), c.fence(), "binding " + c.path());
        if (refusal != null) {
            return refusal;
        }
        Binding there = bindings.get(c.path());
        if (there == null) {
            return put(c.path(), c.lease(), c.fence(), c.value(), null);
        }
        boolean same = there.lease().equals(c.lease())
                && there.fence().equals(c.fence())
                && there.value().equals(c.value());
        return same ? draft.ok() : bound(there);
    }

    private Answer rebind(NamingCommand.Rebind c) {
        Answer refusal = leases.fenced(c.lease(), c.fence(), "rebinding " + c.path());
        if (refusal != null) {
            return refusal;
        }
        Binding there = bindings.get(c.path());
        return there == null || mayTouch(there, c.lease())
                ? put(c.path(), c.lease(), c.fence(), c.value(), there)
                : bound(there);
    }

    private Answer unbind(NamingCommand.Unbind c) {
        Answer refusal = leases.fenced(c.lease(), c.fence(), "unbinding " + c.path());
        if (refusal != null) {
            return refusal;
        }
        Binding there = bindings.get(c.path());
        if (there != null && !mayTouch(there, c.lease())) {
            return bound(there);
        }
        if (there != null) {
            remove(there);
        }
        return draft.ok();
    }

    private static boolean mayTouch(Binding there, String lease) {
        return there.lease().equals(lease) || there.value() instanceof BindingValue.Text;
    }

    private Answer put(String path, String lease, Fence fence, BindingValue value, @Nullable Binding before) {
        if (!wellFormed(path)) {
            return Draft.refused(Refusal.MALFORMED, "a name has parts separated by single slashes: " + path);
        }
        Answer refusal = before == null ? inTheWay(path) : null;
        if (refusal != null) {
            return refusal;
        }
        if (before == null && bindings.size() >= StateLimits.BINDINGS) {
            return Draft.full("names bound", StateLimits.BINDINGS);
        }
        Binding now = new Binding(path, lease, fence, "" + leases.owner(lease), value, draft.index());
        bindings.put(path, now);
        draft.emit(new BindingChanged(path, before, now));
        return draft.ok();
    }

    private static boolean wellFormed(String path) {
        return !path.isEmpty()
                && path.charAt(0) != SEPARATOR
                && path.charAt(path.length() - 1) != SEPARATOR
                && !path.contains("//");
    }

    /** A name is an object or a context, not both: refused if there is an object above it, or a name below it. */
    private @Nullable Answer inTheWay(String path) {
        for (int i = path.indexOf(SEPARATOR); i > 0; i = path.indexOf(SEPARATOR, i + 1)) {
            Binding above = bindings.get(path.substring(0, i));
            if (above != null) {
                return bound(above);
            }
        }
        SortedMap<String, Binding> below = bindings.view().subMap(path + SEPARATOR, path + (char) (SEPARATOR + 1));
        return below.isEmpty() ? null : bound(below.firstEntry().getValue());
    }

    private static Answer bound(Binding there) {
        return Draft.refused(
                Refusal.NAME_BOUND,
                there.path() + " is bound under " + there.lease() + " of " + there.member() + " with fence "
                        + there.fence());
    }

    private void remove(Binding there) {
        bindings.remove(there.path());
        draft.emit(new BindingChanged(there.path(), there, null));
    }

    /** The lease ended: its names are removed. */
    public void drop(String lease) {
        for (Binding b : List.copyOf(bindings.view().values())) {
            if (b.lease().equals(lease)) {
                remove(b);
            }
        }
    }
}
