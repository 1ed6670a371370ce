package io.weir.cluster.state;

import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Event;
import java.util.List;

/** The result of applying one entry. Immutable. */
public record Applied(ClusterState after, Answer answer, List<Event> events) {
    public Applied {
        events = List.copyOf(events);
    }
}
