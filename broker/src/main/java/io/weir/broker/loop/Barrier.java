package io.weir.broker.loop;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Waits until all tasks that other loops have posted, or were about to post, have arrived: a task goes to each loop and
 * back. Stateless.
 */
public final class Barrier {
    private Barrier() {}

    /**
     * Runs an action on {@code home}, on which it must be called, after a round trip to all other loops; at once if
     * there are none.
     */
    public static void through(BrokerLoop home, List<BrokerLoop> loops, Runnable then) {
        Set<BrokerLoop> others = new HashSet<>(loops);
        others.remove(home);
        int[] left = {others.size()};
        if (left[0] == 0) {
            then.run();
            return;
        }
        for (BrokerLoop other : others) {
            other.post(() -> home.post(() -> {
                if (--left[0] == 0) {
                    then.run();
                }
            }));
        }
    }
}
