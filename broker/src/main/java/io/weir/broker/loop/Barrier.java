package io.weir.broker.loop;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Waits until what other loops handed over, or were about to, has arrived: a message goes to each and comes back. Stateless.
 */
public final class Barrier {
    private Barrier() {}

    /** Runs an action on {@code home}, where it is called, once all loops were passed; at once when there are no others. */
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
