package io.weir.cluster.state.entry;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry while it is applied: its index, who proposed it and when, and what it has written so far: events and lines of
 * history. What the rules change beside that is in a {@link DraftTable} of theirs. Confined to that application.
 */
public final class Draft {
    private final long index;
    private final String by;
    private final long atMillis;
    private final List<Transition> lines = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();

    /**
     * Nothing has been written yet.
     *
     * @param index of the entry
     * @param by who proposed it
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

    /** Who proposed it: {@code member:NAME}, or an operator's name. */
    public String by() {
        return by;
    }

    public List<Event> events() {
        return events;
    }

    /** The history with the lines of this entry, without what is too old. */
    public List<Transition> history(List<Transition> before) {
        if (lines.isEmpty()) {
            return before;
        }
        List<Transition> all = new ArrayList<>(before);
        all.addAll(lines);
        int over = Math.max(0, all.size() - StateLimits.HISTORY);
        return List.copyOf(all.subList(over, all.size()));
    }

    /** Listeners see it after the entry, in this order. */
    public void emit(Event event) {
        events.add(event);
    }

    /** Writes a line of history. */
    public void record(Transition.What what, String name, String from, String to, Fence fence, String reason) {
        Transition t = new Transition(index, what, name, from, to, fence, cut(reason), by, atMillis);
        lines.add(t);
        emit(new Event.Recorded(t));
    }

    /** Done. */
    public Answer ok() {
        return new Answer.Done(index);
    }

    public static Answer refused(Refusal reason, String text) {
        return new Answer.Refused(reason, cut(text));
    }

    /** There is no such thing. */
    public static Answer unknown(String kind, String name) {
        return refused(Refusal.UNKNOWN_NAME, "there is no " + kind + " " + name);
    }

    /** No more than this many may be. */
    public static Answer full(String what, int limit) {
        return refused(Refusal.LIMIT, "there are " + limit + " " + what + " already, and no more may be");
    }

    /** What was done, with the operator's reason where one was given. */
    public static String why(String what, String reason) {
        return reason.isEmpty() ? what : what + ": " + reason;
    }

    private static String cut(String text) {
        return text.length() <= StateLimits.REASON ? text : text.substring(0, StateLimits.REASON);
    }
}
