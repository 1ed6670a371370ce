package io.weir.lab.xa;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where in a transaction which process dies. Immutable.
 *
 * @param point of {@link #POINTS}; empty for none
 * @param broker whether the broker dies, otherwise the transaction manager's process
 */
record Fault(String point, boolean broker) {
    static final Fault NONE = new Fault("", false);

    /** The two resources' calls in a transaction of two phases, before and after each. */
    static final List<String> POINTS = List.of(
            "queue.end.after",
            "queue.prepare.before",
            "queue.prepare.after",
            "database.prepare.after",
            "queue.commit.before",
            "queue.commit.after",
            "database.commit.before",
            "database.commit.after");

    static Fault of(int number) {
        int each = POINTS.size();
        return new Fault(POINTS.get(number % each), number / each % 2 == 1);
    }

    /** Dies, if this is the place. */
    void at(String here, @Nullable ProcessHandle victim) {
        if (!here.equals(point)) {
            return;
        }
        if (!broker || victim == null) {
            Runtime.getRuntime().halt(Worker.DIED);
        } else if (victim.destroyForcibly()) {
            victim.onExit().join();
        }
    }
}
