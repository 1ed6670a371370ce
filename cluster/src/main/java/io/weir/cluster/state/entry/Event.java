package io.weir.cluster.state.entry;

/**
 * A change made by an entry; each subject of the state defines its events beside its rules. Delivered to listeners on
 * the member's loop, in the order of the log. Immutable.
 */
public interface Event {
    /**
     * A line of history was written; follows the event that the line describes. It is the single log line of a
     * transition.
     */
    record Recorded(Transition line) implements Event {}
}
