package io.weir.cluster.state.entry;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry while it is applied: its index, proposer and time, and the events and lines of history written so far. Other
 * changes of the rules are in their {@link DraftTable}s. Confined to the application of the entry.
 */
public final class Draft {
    private final long index;
    private final String by;
    private final long atMillis;
    private final List<Transition> lines = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    /**
     * Creates an empty draft.
     *
     * @param index of the entry
     * @param by the proposer
     * @param atMillis the proposer's wall clock, milliseconds since 1970
     */
    public Draft(long index, String by, long atMillis) {
        this.index = index;
        this.by = by;
        this.atMillis = atMillis;
    }

    public long index() {
        return index;
    }

    /** The proposer: {@code member:NAME}, or an operator's name. */
    public String by() {
        return by;
    }

    public List<Event> events() {
        return events;
    }

    /** The history with the lines of this entry appended, limited to the latest lines. */
    public List<Transition> history(List<Transition> before) {
        if (lines.isEmpty()) {
            return before;
        }
        List<Transition> all = new ArrayList<>(before);
        all.addAll(lines);
        int over = Math.max(0, all.size() - StateLimits.HISTORY);
        return List.copyOf(all.subList(over, all.size()));
    }

    /** Adds an event, delivered to listeners after the entry, in this order. */
    public void emit(Event event) {
        events.add(event);
    }

    /** Adds a line of history. */
    public void record(Transition.What what, String name, String from, String to, Fence fence, String reason) {
        Transition t = new Transition(index, what, name, from, to, fence, cut(reason), by, atMillis);
        lines.add(t);
        emit(new Event.Recorded(t));
    }

    /** The answer of an accepted command. */
    public Answer ok() {
        return new Answer.Done(index);
    }

    public static Answer refused(Refusal reason, String text) {
        return new Answer.Refused(reason, cut(text));
    }

    /** The refusal of an unknown name. */
    public static Answer unknown(String kind, String name) {
        return refused(Refusal.UNKNOWN_NAME, "there is no " + kind + " " + name);
    }

    /** The refusal at a limit. */
    public static Answer full(String what, int limit) {
        return refused(Refusal.LIMIT, "there are " + limit + " " + what + " already, which is the limit");
    }

    /** A description with the operator's reason, if given. */
    public static String why(String what, String reason) {
        return reason.isEmpty() ? what : what + ": " + reason;
    }

    private static String cut(String text) {
        return text.length() <= StateLimits.REASON ? text : text.substring(0, StateLimits.REASON);
    }
}
