package io.weir.cluster.sim;

import io.weir.base.Fence;
import java.util.HashMap;
import java.util.Map;

/**
 * Something outside the cluster that services write to under their fence: a counter for each service, which refuses a fence
 * older than the highest it saw, and a journal that trusts Weir's own guard. Confined to the simulation's thread.
 */
final class Vault {
    private final Map<String, Fence> highest = new HashMap<>();
    private final Map<String, Long> counters = new HashMap<>();
    private final Map<String, Fence> journals = new HashMap<>();
    private final Referee referee;
    private long increments;
    private long refusals;

    Vault(Referee referee) {
        this.referee = referee;
    }

    /** Reads the counter for an update; -1 where the fence is old. */
    long read(String service, Fence fence) {
        if (!admits(service, fence)) {
            return -1;
        }
        return counters.getOrDefault(service, 0L);
    }

    /** Writes what was read and incremented. */
    void write(String service, Fence fence, long value) {
        if (!admits(service, fence)) {
            return;
        }
        long was = counters.getOrDefault(service, 0L);
        referee.check(value == was + 1, "lost-update", service + "@" + fence + " wrote " + value + " over " + was);
        counters.put(service, value);
        increments++;
    }

    /** A group of a journal: whoever writes has asked Weir's guard, nobody asks again here. */
    void append(String service, Fence fence) {
        Fence last = journals.getOrDefault(service, Fence.NONE);
        referee.check(fence.compareTo(last) >= 0, "old-fence-in-journal", service + "@" + fence + " after " + last);
        journals.put(service, fence);
    }

    long increments() {
        return increments;
    }

    long refusals() {
        return refusals;
    }

    private boolean admits(String service, Fence fence) {
        Fence h = highest.getOrDefault(service, Fence.NONE);
        if (fence.compareTo(h) < 0) {
            refusals++;
            return false;
        }
        highest.put(service, fence);
        return true;
    }
}
