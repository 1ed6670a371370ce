package io.weir.base;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the known word that a mistyped one most likely means. Stateless. */
public final class Nearest {
    /** The shortest word that is taken for the beginning of another. */
    private static final int SHORTEST = 3;

    private Nearest() {}

    /** The closest candidate by edit distance, or null if none is close (more than a third of the word differs). */
    public static @Nullable String of(String word, Collection<String> candidates) {
        String best = null;
        int bestDistance = Math.max(2, word.length() / 3) + 1;
        for (String candidate : candidates) {
            int d = distance(word, candidate);
            if (d < bestDistance) {
                bestDistance = d;
                best = candidate;
            }
        }
        return best == null ? longer(word, candidates) : best;
    }

    /** The candidate of which the word is a longer form, or the only one that begins with the word; or null. */
    private static @Nullable String longer(String word, Collection<String> candidates) {
        String best = null;
        for (String candidate : candidates) {
            boolean longer = candidate.length() >= SHORTEST && word.startsWith(candidate);
            if (longer && (best == null || candidate.length() > best.length())) {
                best = candidate;
            }
        }
        if (best == null && word.length() >= SHORTEST) {
            List<String> all =
                    candidates.stream().filter(c -> c.startsWith(word)).toList();
            best = all.size() == 1 ? all.get(0) : null;
        }
        return best;
    }

    /** The continuation of a message that something is unknown: a suggestion and the known names. */
    public static String known(String word, Collection<String> all) {
        String nearest = of(word, all);
        return (nearest == null ? "." : "; did you mean \"" + nearest + "\"?")
                + (all.isEmpty() ? " There are none." : " Known: " + String.join(", ", new TreeSet<>(all)));
    }

    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(previous[j], row[j - 1]) + 1);
            }
            previous = row;
        }
        return previous[b.length()];
    }
}
