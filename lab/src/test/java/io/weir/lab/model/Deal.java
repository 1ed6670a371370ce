package io.weir.lab.model;

import java.util.ArrayList;
import java.util.List;

/** A transaction: what was sent and acknowledged in it. Confined to the books. */
final class Deal {
    /** How it stands. */
    enum Outcome {
        OPEN,
        /** The broker has read the commit and not answered. */
        COMMITTING,
        DONE,
        UNDONE,
        /** Answered with a fault of the disk: a sudden death may show either. */
        IN_DOUBT
    }

    final List<Letter> letters = new ArrayList<>();
    final List<Copy> acknowledged = new ArrayList<>();
    Outcome outcome = Outcome.OPEN;

    boolean isEmpty() {
        return letters.isEmpty() && acknowledged.isEmpty();
    }
}
