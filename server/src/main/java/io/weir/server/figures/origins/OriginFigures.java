package io.weir.server.figures.origins;

import java.util.ArrayList;
import java.util.List;

/**
 * A pool of origin servers at one moment. Immutable.
 *
 * @param balance how servers are chosen
 * @param retries requests that were tried once more
 * @param retriesRefused requests that were not, because the budget was used up
 * @param refusedBusy requests that no server took because all were full
 * @param refusedDown requests that no server took because none was up
 * @param stickyFollowed requests of sessions that came to their server
 * @param stickyStrayed requests of sessions whose server was down or full
 * @param stickyUnknown requests with a route that no server has
 */
public record OriginFigures(
        String pool,
        String balance,
        long retries,
        long retriesRefused,
        long refusedBusy,
        long refusedDown,
        long stickyFollowed,
        long stickyStrayed,
        long stickyUnknown,
        List<Server> servers) {
    /** Maximum number of servers that a view shows. */
    public static final int MAX_ROWS = 1000;

    public OriginFigures {
        servers = List.copyOf(servers);
    }

    /**
     * A server.
     *
     * @param pool that it is in
     * @param route its identifier in cookies
     * @param state up, warming, trial or down; leaving: no longer in the configuration or in answers of the name server
     * @param reason why it is or was down; empty if it never was
     * @param since milliseconds since the epoch
     * @param downs how often it was taken out
     * @param answers heads of answers
     * @param answerNanos sum of the times from its choice to the head of its answer
     */
    public record Server(
            String pool,
            String name,
            String route,
            String state,
            String reason,
            long since,
            int weight,
            long active,
            long requests,
            long failures,
            long busy,
            long downs,
            long checksPassed,
            long checksFailed,
            long answers,
            long answerNanos) {
        /** Mean time to the head of an answer, nanoseconds. */
        public long meanNanos() {
            return answers == 0 ? 0 : answerNanos / answers;
        }
    }

    /** The first servers of all pools, up to what a view shows. */
    public static List<Server> rows(List<OriginFigures> pools) {
        List<Server> rows = new ArrayList<>();
        for (OriginFigures p : pools) {
            rows.addAll(p.servers().subList(0, Math.min(p.servers().size(), MAX_ROWS - rows.size())));
        }
        return rows;
    }

    /** How many servers there are. */
    public static int count(List<OriginFigures> pools) {
        return pools.stream().mapToInt(p -> p.servers().size()).sum();
    }
}
