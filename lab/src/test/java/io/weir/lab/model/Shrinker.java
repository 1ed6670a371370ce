package io.weir.lab.model;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out what a violation does not need: larger and smaller pieces of a run's steps, as long as something is wrong still.
 * Each step has its own chance by its number, so that the others stay what they were. Good for one seed.
 */
final class Shrinker {
    private static final int MOST_RUNS = 250;

    private final long seed;
    private final int steps;
    private Set<Integer> skipped = new HashSet<>();
    private int runs;

    Shrinker(long seed, int steps) {
        this.seed = seed;
        this.steps = steps;
    }

    /** The shortest run that was found; null when nothing is wrong with this seed. */
    @Nullable
    Simulation shrink() {
        Simulation shortest = run(skipped);
        if (!shortest.isWrong()) {
            return null;
        }
        int end = Math.min(steps, shortest.step() + 1);
        for (int i = end; i < steps; i++) {
            skipped.add(i);
        }
        for (int piece = Math.max(1, end / 2); piece >= 1 && runs < MOST_RUNS; piece /= 2) {
            for (int from = 0; from < end && runs < MOST_RUNS; from += piece) {
                Set<Integer> more = new HashSet<>(skipped);
                for (int i = from; i < Math.min(end, from + piece); i++) {
                    more.add(i);
                }
                if (more.size() > skipped.size()) {
                    Simulation next = run(more);
                    if (next.isWrong()) {
                        skipped = more;
                        shortest = next;
                    }
                }
            }
        }
        return shortest;
    }

    private Simulation run(Set<Integer> without) {
        runs++;
        Simulation s = new Simulation(seed, steps, without);
        s.run();
        return s;
    }
}
