package io.weir.proxy.cache.disk;

/**
 * A collection of a partition that is under way or over. Immutable.
 *
 * @param reason why it began: size, file-system, schedule or command; empty: there was none yet
 * @param running whether it is under way, or will be
 * @param failed whether it ended early, or did not begin, because the disk cannot be written
 * @param before bytes of the partition when it began
 * @param after bytes of the partition now, or when it ended
 * @param segments that were removed
 * @param carried objects that were used and therefore written again
 * @param removed objects that were not
 * @param millis that it took
 */
public record Collected(
        String partition,
        String reason,
        boolean running,
        boolean failed,
        long before,
        long after,
        long segments,
        long carried,
        long removed,
        long millis) {
    /** None yet. */
    static Collected none(String partition) {
        return new Collected(partition, "", false, false, 0, 0, 0, 0, 0, 0);
    }

    /** It was asked for, and could not begin. */
    Collected notBegun() {
        return new Collected(partition, "command", false, true, 0, 0, 0, 0, 0, 0);
    }

    /** It will begin. */
    Collected requested() {
        return new Collected(partition, "command", true, false, 0, 0, 0, 0, 0, 0);
    }
}
