package io.weir.jms.client.delivery;

/**
 * The messages of one link that were passed to the application and not yet reported to the broker. In an automatic mode
 * that is the one that is being consumed now, without a lock; in the others all since the last report. Added to by the
 * session's thread, taken by it or by the loop.
 */
final class PassedOn {
    private static final long[] NONE = {};

    private final boolean automatic;
    private volatile long last;
    private volatile long reported;
    private final TagRanges unreported = new TagRanges();

    PassedOn(boolean automatic) {
        this.automatic = automatic;
    }

    void add(long tag) {
        if (automatic) {
            last = tag;
        } else {
            unreported.add(tag);
        }
    }

    /**
     * Takes the tags to report to the broker, in pairs of first and last.
     *
     * @param consumed an automatic mode's messages up to here were consumed, which implies that they were passed on
     */
    long[] take(long consumed) {
        if (!automatic) {
            return unreported.take(Long.MAX_VALUE);
        }
        long tag = last;
        if (tag <= consumed || tag == reported) {
            return NONE;
        }
        reported = tag;
        return new long[] {tag, tag};
    }
}
