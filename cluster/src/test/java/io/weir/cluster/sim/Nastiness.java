package io.weir.cluster.sim;

/**
 * How unhelpful the log is at this moment, in thousandths. Confined to the simulation's thread.
 */
final class Nastiness {
    /** A request is lost on its way to the leader. */
    int lostRequests;
    /** An answer is lost: the entry commits, and its submitter never hears. */
    int lostAnswers;
    /** A request arrives twice, the second time up to {@link #longest} later. */
    int doubled;
    /** A request arrives up to {@link #longest} later, perhaps when nobody waits for it any more. */
    int late;
    /** How late, in nanoseconds. */
    long longest = 15 * VirtualTime.SECOND;

    boolean any() {
        return lostRequests + lostAnswers + doubled + late > 0;
    }

    void none() {
        lostRequests = 0;
        lostAnswers = 0;
        doubled = 0;
        late = 0;
    }

    void set(int perThousand) {
        lostRequests = perThousand;
        lostAnswers = perThousand;
        doubled = perThousand;
        late = perThousand;
    }
}
