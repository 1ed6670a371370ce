package io.weir.broker.admin;

import java.util.List;

/**
 * One loop's counts of its destinations, connections and sessions. Immutable; replaced about once a second.
 *
 * @param loop the loop's number
 * @param ageNanos age of the counts, by the reader's clock
 * @param destinations its destinations that are not temporary, by name
 * @param connections at most {@link #MAX_ROWS} of its connections, by number
 * @param connectionCount all of its connections
 * @param sessions at most {@link #MAX_ROWS} of its sessions, by connection and number
 * @param sessionCount all of its sessions
 */
public record LoopFigures(
        int loop,
        long ageNanos,
        List<DestinationView> destinations,
        Temporaries temporaries,
        List<ConnectionView> connections,
        int connectionCount,
        List<SessionView> sessions,
        int sessionCount) {
    /** Connections and sessions listed one by one; the rest are only counted. */
    public static final int MAX_ROWS = 1000;

    /** Loops count once a second: one that has not counted for this long hangs. */
    private static final long STALE_NANOS = 3_000_000_000L;

    /**
     * All temporary destinations of a loop together.
     *
     * @param count those that exist now
     * @param messagesReceived messages sent to any of them since the start
     */
    public record Temporaries(
            int count,
            long messagesCurrent,
            long messagesPending,
            long messagesReceived,
            long bytesCurrent,
            long bytesPending,
            long bytesReceived,
            int consumers,
            int producers) {
        static final Temporaries NONE = new Temporaries(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** The value before the first count. */
    static LoopFigures none(int loop) {
        return new LoopFigures(loop, 0, List.of(), Temporaries.NONE, List.of(), 0, List.of(), 0);
    }

    /** Whether the loop hangs and these figures are its last known ones. */
    public boolean stale() {
        return ageNanos >= STALE_NANOS;
    }

    LoopFigures aged(long nanos) {
        return new LoopFigures(
                loop, nanos, destinations, temporaries, connections, connectionCount, sessions, sessionCount);
    }
}
