package io.weir.server.processes;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** The protocol between supervisor and worker: lines of a word, a space, and its parameters. Stateless. */
public final class Orders {
    /** Worker: all descriptors have arrived. */
    public static final String RECEIVED = "received";

    /** Worker: {@code at KEY=ADDRESS}, the address of something that only this worker has. */
    public static final String AT = "at";

    /** Worker: {@code ready ADMIN}, it serves; with the address of its admin listener. */
    public static final String READY = "ready";

    /** Worker: {@code draining MILLISECONDS}, it ends within that time. */
    public static final String DRAINING = "draining";

    /** Supervisor: drain and end. */
    public static final String DRAIN = "drain";

    /** Supervisor: release messaging and the cluster, keep serving http; answered with {@link #RELEASED}. */
    public static final String RELEASE = "release";

    /** Worker: messaging and the cluster can be opened by another process. */
    public static final String RELEASED = "released";

    /** Supervisor: another has taken over: stop accepting, retire clients gracefully, and end. */
    public static final String RETIRE = "retire";

    /** Supervisor: probe, to be answered with {@link #WELL} once every muxer has run a task. */
    public static final String WELL = "well";

    /** Worker: {@code counted LINE}, a line of its final statistics, before it ends. */
    public static final String COUNTED = "counted";

    /** Supervisor: another process with the same number writes the same logs. */
    public static final String BESIDE = "beside";

    /** Supervisor: no other process writes the same logs any more. */
    public static final String ALONE = "alone";

    /** Supervisor: {@code stand-in 2,3}, accept also from the sockets of these processes, and of no others. */
    public static final String STAND_IN = "stand-in";

    /** Supervisor: reopen log files. */
    public static final String REOPEN = "reopen";

    /** Supervisor: apply the configuration that is in force. */
    public static final String FOLLOW = "follow";

    /**
     * Worker: {@code others QUESTION}; supervisor: {@code others QUESTION ID,ID}, the ids of the other processes that may
     * serve. The worker that asked last is told of each change, too.
     */
    public static final String OTHERS = "others";

    /** Worker: {@code to ID LETTER}, for another worker. */
    public static final String TO = "to";

    /** Supervisor: {@code from ID LETTER}, of another worker. */
    public static final String FROM = "from";

    private Orders() {}

    /** The process numbers in a line's parameters. */
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

    /** The parameters after the word; empty if there are none. */
    public static String rest(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? "" : line.substring(space + 1);
    }
}
