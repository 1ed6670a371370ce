package io.weir.cluster.state.entry;

/**
 * What one entry changed; each subject of the state has its own events beside its rules. Listeners get them on the member's
 * loop, in the order of the log. Immutable.
 */
public interface Event {
    /** A line of history was written; comes after the event that the line is about. The one log line of a transition. */
    record Recorded(Transition line) implements Event {}
}
