package io.weir.server.processes;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** What supervisor and worker say to each other: a word, a space, and what belongs to it. Stateless. */
public final class Orders {
    /** Worker: all descriptors came. */
    public static final String RECEIVED = "received";

    /** Worker: {@code at KEY=ADDRESS}, where something is reached that only this worker has. */
    public static final String AT = "at";

    /** Worker: {@code ready ADMIN}, it serves; the address of its admin listener. */
    public static final String READY = "ready";

    /** Worker: {@code draining MILLISECONDS}, it ends within that time. */
    public static final String DRAINING = "draining";

    /** Supervisor: drain and end. */
    public static final String DRAIN = "drain";

    /** Supervisor: let go of messaging and the cluster, serve http on; {@link #RELEASED} when that is done. */
    public static final String RELEASE = "release";

    /** Worker: messaging and the cluster are another's to open. */
    public static final String RELEASED = "released";

    /** Supervisor: another has taken over: stop accepting, let clients go in their own time, and end. */
    public static final String RETIRE = "retire";

    /** Supervisor: answer with {@link #WELL} once every muxer has had a turn. */
    public static final String WELL = "well";

    /** Worker: {@code counted LINE}, a line of what it counted in all of its life, before it ends. */
    public static final String COUNTED = "counted";

    /** Supervisor: another process of your number writes your logs, too. */
    public static final String BESIDE = "beside";

    /** Supervisor: no other process writes your logs any more. */
    public static final String ALONE = "alone";

    /** Supervisor: {@code stand-in 2,3}, accept also from the sockets of these processes, and of no others. */
    public static final String STAND_IN = "stand-in";

    /** Supervisor: open log files anew. */
    public static final String REOPEN = "reopen";

    /** Supervisor: take over the configuration that is in force. */
    public static final String FOLLOW = "follow";

    private Orders() {}

    /** Numbers of processes, of a line's rest. */
    public static Set<Integer> numbers(String rest) {
        return rest.isEmpty()
                ? Set.of()
                : Arrays.stream(rest.split(",", -1)).map(Integer::valueOf).collect(Collectors.toSet());
    }

    /** The word of a line. */
    public static String word(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? line : line.substring(0, space);
    }

    /** What follows the word; empty when nothing does. */
    public static String rest(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? "" : line.substring(space + 1);
    }
}
