package io.weir.server.figures.messaging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messaging at one moment, as last counted by its owners. Immutable.
 *
 * @param destinations those that are not temporary, by name
 * @param journal null while nothing is stored on the disk
 * @param connections some of the connections, by number
 * @param sessions some of the sessions, by connection and number
 */
public record MessagingFigures(
        Totals totals,
        List<Destination> destinations,
        @Nullable Journal journal,
        List<Connection> connections,
        List<Session> sessions) {
    /** Maximum number of rows of a table, and of elements of a kind. */
    public static final int MAX_ROWS = 1000;

    /**
     * Sums over all.
     *
     * @param blockedSessions sessions whose window is full
     * @param oneWay sends without an answer
     * @param slowConsumers consumers logged as slow since the start
     * @param hanging muxers that have not counted for some seconds; figures of what they own are as old
     */
    public record Totals(
            int connections,
            int sessions,
            long blockedSessions,
            long oneWay,
            long oneWayDropped,
            long receives,
            long receiveTimeouts,
            long committed,
            long rolledBack,
            long refused,
            long slowConsumers,
            Temporaries temporaries,
            List<Integer> hanging) {}

    /** All temporary destinations together. */
    public record Temporaries(
            int count,
            long messages,
            long messagesTotal,
            long messagesPending,
            long bytes,
            long bytesTotal,
            long bytesPending) {}

    /**
     * Messages or bytes at a destination.
     *
     * @param current available now
     * @param high maximum at once, pending ones included
     * @param total came since the start
     * @param recovered found in the journal at the start
     * @param pending at consumers, delayed, uncommitted
     */
    public record Amounts(long current, long high, long total, long recovered, long pending) {}

    /**
     * A queue or topic.
     *
     * @param name {@code queue/name} or {@code topic/name}
     * @param quotaWaits sends that had to wait for room
     * @param failed over the redelivery limit
     * @param overrun deleted because a subscription was at its limit
     * @param staleSeconds how long ago its muxer last counted, if it hangs; else 0
     */
    public record Destination(
            String name,
            Amounts messages,
            Amounts bytes,
            int consumers,
            int producers,
            String quota,
            long quotaWaits,
            long delivered,
            long acknowledged,
            long redelivered,
            long expired,
            long failed,
            long overrun,
            boolean productionPaused,
            boolean insertionPaused,
            boolean consumptionPaused,
            long staleSeconds) {
        /** The stages that are paused, separated by commas; empty: none. */
        public String paused() {
            if (!productionPaused && !insertionPaused && !consumptionPaused) {
                return "";
            }
            StringBuilder stages = new StringBuilder();
            stages.append(productionPaused ? ",production" : "")
                    .append(insertionPaused ? ",insertion" : "")
                    .append(consumptionPaused ? ",consumption" : "");
            return stages.substring(1);
        }
    }

    /**
     * The journal of persistent messages; times in nanoseconds.
     *
     * @param suspended why nothing is written now; null while it is written
     * @param disk bytes of its segment files
     * @param live of them still needed
     * @param queued groups that wait or are being written
     */
    public record Journal(
            String name,
            @Nullable String suspended,
            long records,
            long bytes,
            long forces,
            long forceTotal,
            long force50,
            long force99,
            long forceMax,
            long segments,
            long disk,
            long live,
            long entries,
            long queued,
            long skipped,
            long refused,
            long failedWrites) {}

    /** A client's connection; its number is written in hexadecimal as in message identifiers. */
    public record Connection(
            long id,
            String user,
            String clientId,
            String address,
            boolean started,
            int sessions,
            int blocked,
            int unacknowledged,
            int temporaries,
            long waitingBytes,
            long staleSeconds) {}

    /**
     * A session.
     *
     * @param mode one of transacted, auto, client, dups-ok, none
     * @param window MessagesMaximum; -1 without limit
     * @param outstanding messages sent to its listeners and not yet passed to them
     */
    public record Session(
            long connection,
            int number,
            String user,
            String clientId,
            String address,
            String mode,
            int outstanding,
            int window,
            boolean blocked,
            int unacknowledged,
            int consumers,
            int waitingSends,
            long oneWay,
            boolean started,
            long staleSeconds) {}

    /** At most {@link #MAX_ROWS} rows. */
    public static <T> List<T> shown(List<T> rows) {
        return rows.subList(0, Math.min(MAX_ROWS, rows.size()));
    }
}
