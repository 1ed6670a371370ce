package io.weir.proxy.pool;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool's configuration converted to numbers and parsed values, once for each change. Immutable.
 *
 * @param connections to one server from one muxer; 0: the engine's setting
 * @param waiting for a connection to one server on one muxer; -1: the engine's setting
 * @param quietNanos how long a connection must have been silent before it is reused
 * @param failureStatuses which statuses are failures
 */
public record PoolRules(
        Balance balance,
        HashOn hashOn,
        @Nullable String hashName,
        Sticky sticky,
        int failures,
        int failureRatio,
        int ratioRequests,
        long ratioNanos,
        long downNanos,
        long maxDownNanos,
        int trials,
        BitSet failureStatuses,
        CheckConfig check,
        BitSet checkStatuses,
        long slowStartNanos,
        int connections,
        int waiting,
        int outstanding,
        WhenAllDown whenAllDown,
        int tries,
        int retryPercent,
        int retryReserve,
        long quietNanos,
        boolean resolve) {

    private static final int STATUSES = 1000;

    /**
     * The rules of a configuration.
     *
     * @param muxers number of muxers that share the connections
     * @throws IllegalArgumentException naming the invalid status
     */
    public static PoolRules of(OriginsConfig c, int muxers) {
        HealthConfig h = c.health();
        return new PoolRules(
                c.balance(),
                c.hashOn(),
                c.hashName(),
                Sticky.of(c.sticky()),
                h.failures(),
                h.failureRatio(),
                h.ratioRequests(),
                h.ratioWindow().toNanos(),
                h.downTime().toNanos(),
                Math.max(h.downTime().toNanos(), h.maxDownTime().toNanos()),
                h.trials(),
                statuses(h.statuses()),
                c.check(),
                statuses(c.check().statuses()),
                c.slowStart().toNanos(),
                c.maxConnections() == 0 ? 0 : Math.max(1, c.maxConnections() / Math.max(1, muxers)),
                c.maxWaiting(),
                c.maxOutstanding(),
                c.whenAllDown(),
                c.tries(),
                c.retryBudget(),
                c.retryReserve(),
                c.quiet().toNanos(),
                c.resolve());
    }

    /** The same rules with other session settings. */
    public PoolRules with(StickyConfig sessions) {
        return with(sessions, failureStatuses);
    }

    /** The same rules for proxies, whose 502, 503 and 504 tell of the origin that they were asked for. */
    public PoolRules forParents(StickyConfig sessions) {
        return with(sessions, new BitSet());
    }

    private PoolRules with(StickyConfig sessions, BitSet failed) {
        return new PoolRules(
                balance,
                hashOn,
                hashName,
                Sticky.of(sessions),
                failures,
                failureRatio,
                ratioRequests,
                ratioNanos,
                downNanos,
                maxDownNanos,
                trials,
                failed,
                check,
                checkStatuses,
                slowStartNanos,
                connections,
                waiting,
                outstanding,
                whenAllDown,
                tries,
                retryPercent,
                retryReserve,
                quietNanos,
                resolve);
    }

    /** Whether there are active checks. */
    public boolean checks() {
        return check.path() != null;
    }

    private static BitSet statuses(List<String> texts) {
        BitSet set = new BitSet(STATUSES);
        for (String text : texts) {
            if (!text.matches("[1-5][0-9][0-9](-[1-5][0-9][0-9])?")) {
                throw new IllegalArgumentException(
                        "expected a status or from-to, such as 503 or 200-399, found \"" + text + "\"");
            }
            int from = Integer.parseInt(text.substring(0, 3));
            int to = text.length() == 3 ? from : Integer.parseInt(text.substring(4));
            set.set(from, Math.max(from, to) + 1);
        }
        return set;
    }

    boolean failure(int status) {
        return failureStatuses.get(status);
    }

    /** Whether a check's answer is a success. */
    public boolean goodCheck(int status) {
        return checkStatuses.get(status);
    }
}
