package io.weir.cluster.state.singletons;

import io.weir.base.Fence;

/**
 * A text that a singleton stored. Immutable.
 *
 * @param fence with which it was written
 * @param index of the entry that wrote it
 */
public record Checkpoint(String singleton, String key, String text, Fence fence, long index) {
    /** In no name: those have no control characters. */
    private static final char SEPARATOR = '\n';

    /** Its name among all. */
    public String path() {
        return path(singleton, key);
    }

    public static String path(String singleton, String key) {
        return singleton + SEPARATOR + key;
    }

    /** Before the first of a singleton's. */
    public static String from(String singleton) {
        return singleton + SEPARATOR;
    }

    /** Behind the last of a singleton's. */
    public static String to(String singleton) {
        return singleton + (char) (SEPARATOR + 1);
    }
}
