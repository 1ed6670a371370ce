package io.weir.cluster.sim;

import java.io.PrintWriter;
import java.io.StringWriter;
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

    /** Something that the real code caught and should not have met. */
    void note(String rule, Throwable what) {
        if (first == null && !(what instanceof Violation)) {
            StringWriter text = new StringWriter();
            what.printStackTrace(new PrintWriter(text));
            first = new Violation(rule, text.toString());
        }
    }

    @Nullable
    Violation first() {
        return first;
    }
}
