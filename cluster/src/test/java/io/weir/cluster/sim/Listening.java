package io.weir.cluster.sim;

import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.StateListener;
import io.weir.cluster.state.entry.Event;
import java.util.List;
import java.util.function.Supplier;

/** Passes on what is applied to somebody who is made later than the state. Confined to the simulation's thread. */
final class Listening implements StateListener {
    private final Supplier<? extends StateListener> to;

    Listening(Supplier<? extends StateListener> to) {
        this.to = to;
    }

    @Override
    public void applied(ClusterState after, List<Event> events) {
        to.get().applied(after, events);
    }

    @Override
    public void restored(ClusterState now) {
        to.get().restored(now);
    }

    @Override
    public void leadership(boolean leading, long term) {
        to.get().leadership(leading, term);
    }
}
