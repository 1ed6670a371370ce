package io.weir.cluster.state.singletons;

import io.weir.base.Fence;

/**
 * A text that a singleton stored. Immutable.
 *
 * @param fence the fence with which it was written
 * @param index of the entry that wrote it
 */
public record Checkpoint(String singleton, String key, String text, Fence fence, long index) {
    /** Does not occur in names, which have no control characters. */
    private static final char SEPARATOR = '\n';

    /** Its key in the state's map. */
    public String path() {
        return path(singleton, key);
    }

    public static String path(String singleton, String key) {
        return singleton + SEPARATOR + key;
    }

    /** Lower bound (inclusive) of a singleton's paths. */
    public static String from(String singleton) {
        return singleton + SEPARATOR;
    }

    /** Upper bound (exclusive) of a singleton's paths. */
    public static String to(String singleton) {
        return singleton + (char) (SEPARATOR + 1);
    }
}
