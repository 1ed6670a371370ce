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
    /** Of a longer text the middle is left out: it quotes what was found, which may be the most of a file. */
    private static final int MAX_LENGTH = 4000;

    public ConfigProblem {
        if (what.length() > MAX_LENGTH) {
            int half = MAX_LENGTH / 2;
            what = what.substring(0, half) + " ... " + what.substring(what.length() - half);
        }
    }

    /** In the order of the file. */
    public static final Comparator<ConfigProblem> IN_ORDER =
            Comparator.comparingInt((ConfigProblem p) -> p.at().line()).thenComparingInt(p -> p.at().column());

    @Override
    public String toString() {
        // the place of --set KEY has the key
        return at + ": " + (key.isEmpty() || at.source().equals("--set " + key) ? "" : key + ": ") + what;
    }
}
