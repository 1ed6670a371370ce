package io.weir.proxy.pool;

/**
 * How many requests may be tried again: a reserve, and a share of what was asked. Every request pays in, every retry takes
 * out, so that an outage never multiplies the load. Confined to one muxer.
 */
final class RetryBudget {
    /** Hundredths of a retry that may be saved up beyond the reserve: an hour of calm does not pay for a storm. */
    private static final int MOST_SAVED = 100 * 100;

    private long hundredths;
    private boolean filled;

    /** A request came. */
    void request(PoolRules rules) {
        long most = rules.retryReserve() * 100L + MOST_SAVED;
        if (!filled) {
            filled = true;
            hundredths = rules.retryReserve() * 100L;
        }
        hundredths = Math.min(most, hundredths + rules.retryPercent());
    }

    /** Takes a retry; false when there is none left. */
    boolean take() {
        if (hundredths < 100) {
            return false;
        }
        hundredths -= 100;
        return true;
    }

    /** A retry that was taken and not used. */
    void giveBack() {
        hundredths += 100;
    }
}
