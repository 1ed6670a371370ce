package io.weir.cluster.state;

import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Event;
import java.util.List;

/** What applying one entry came to. Immutable. */
public record Applied(ClusterState after, Answer answer, List<Event> events) {
    public Applied {
        events = List.copyOf(events);
    }
}
