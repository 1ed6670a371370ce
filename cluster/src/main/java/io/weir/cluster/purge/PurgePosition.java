package io.weir.cluster.purge;

/**
 * How far a cache has followed a cluster's purges. Immutable.
 *
 * @param log id of the log of purges; 0: none yet
 * @param number of the latest purge that was applied
 */
public record PurgePosition(long log, long number) {
    /** It has followed none. */
    public static final PurgePosition NONE = new PurgePosition(0, 0);
}
