package io.weir.cluster.deploy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Contents that are stored here but not yet in the cluster's state, so that they are not removed as orphans. Those
 * whose deployment command had an unknown outcome are kept: it may be committed later, and then only this member has
 * the contents. Their number is bounded, the oldest are dropped first; all are dropped with the process. Shared.
 */
final class ArrivingContents {
    private final int most;
    private final Map<String, Integer> open = new HashMap<>();
    private final LinkedHashSet<String> unsure = new LinkedHashSet<>();

    /** @param most maximum number of contents kept with an unknown outcome */
    ArrivingContents(int most) {
        this.most = most;
    }

    /** A deployment of these contents begins; it must end exactly once. */
    synchronized void begin(String sha256) {
        open.merge(sha256, 1, Integer::sum);
    }

    /** The outcome is known: if accepted, it is in the state by now. */
    synchronized void answered(String sha256) {
        open.computeIfPresent(sha256, (_, n) -> n == 1 ? null : n - 1);
    }

    /** The outcome is unknown: it may be accepted now or later. */
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
