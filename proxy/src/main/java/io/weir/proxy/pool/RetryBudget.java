package io.weir.proxy.pool;

/**
 * Bounds how many requests may be retried: a reserve, and a share of all requests. Every request adds to the budget,
 * every retry uses it, so that an outage never multiplies the load. Confined to one muxer.
 */
final class RetryBudget {
    /** Hundredths of a retry that can accumulate beyond the reserve: a quiet hour must not pay for a retry storm. */
    private static final int MOST_SAVED = 100 * 100;

    private long hundredths;
    private boolean filled;

    /** Accounts for a new request. */
    void request(PoolRules rules) {
        long most = rules.retryReserve() * 100L + MOST_SAVED;
        if (!filled) {
            filled = true;
            hundredths = rules.retryReserve() * 100L;
        }
        hundredths = Math.min(most, hundredths + rules.retryPercent());
    }

    /** Takes a retry; returns false if none is left. */
    boolean take() {
        if (hundredths < 100) {
            return false;
        }
        hundredths -= 100;
        return true;
    }

    /** Returns a retry that was taken and not used. */
    void refund() {
        hundredths += 100;
    }
}
