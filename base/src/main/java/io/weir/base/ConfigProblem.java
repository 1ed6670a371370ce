package io.weir.base;

import java.util.Comparator;

/**
 * One problem in a configuration: where, what, and what to do about it.
 *
 * @param at place in the file, or the command-line option
 * @param key full dotted key
 * @param what what is wrong, why, and what would be right
 */
public record ConfigProblem(ConfigNode.Place at, String key, String what) {
    /** In the order of the file. */
    public static final Comparator<ConfigProblem> IN_ORDER =
            Comparator.comparingInt((ConfigProblem p) -> p.at().line()).thenComparingInt(p -> p.at().column());

    @Override
    public String toString() {
        // the place of --set KEY has the key
        return at + ": " + (key.isEmpty() || at.source().equals("--set " + key) ? "" : key + ": ") + what;
    }
}
