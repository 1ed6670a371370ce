package io.weir.cluster.sim;

import org.jspecify.annotations.Nullable;

/**
 * Remembers the first violation: it may be thrown where a future swallows it. Confined to the simulation's thread.
 */
final class Referee {
    private @Nullable Violation first;

    void check(boolean holds, String rule, Object what) {
        if (!holds) {
            Violation v = new Violation(rule, what.toString());
            if (first == null) {
                first = v;
            }
            throw v;
        }
    }

    @Nullable
    Violation first() {
        return first;
    }
}
