package io.weir.cluster.deploy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Contents taken in, of which the cluster's state does not know yet, so that they are not removed as orphans. Those
 * whose deployment got no answer stay: it may be committed later, and then this member has them alone. So many of these
 * are kept, the oldest go first; all go with the process. Shared.
 */
final class Arriving {
    private final int most;
    private final Map<String, Integer> open = new HashMap<>();
    private final LinkedHashSet<String> unsure = new LinkedHashSet<>();

    /** @param most contents that are kept without an answer */
    Arriving(int most) {
        this.most = most;
    }

    /** A deployment of these contents begins; each ends once. */
    synchronized void begin(String sha256) {
        open.merge(sha256, 1, Integer::sum);
    }

    /** It is answered: what was accepted is in the state by now. */
    synchronized void answered(String sha256) {
        open.computeIfPresent(sha256, (_, n) -> n == 1 ? null : n - 1);
    }

    /** Nobody knows whether it is accepted, or will be. */
    synchronized void unanswered(String sha256) {
        answered(sha256);
        unsure.remove(sha256);
        unsure.add(sha256);
        if (unsure.size() > most) {
            unsure.removeFirst();
        }
    }

    synchronized Set<String> all() {
        Set<String> all = new HashSet<>(open.keySet());
        all.addAll(unsure);
        return all;
    }
}
