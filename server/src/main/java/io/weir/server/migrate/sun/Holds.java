package io.weir.server.migrate.sun;

/** Whether a condition holds for all requests of a kind. */
enum Holds {
    YES,
    NO,
    /** For some of them, or nobody knows. */
    MAYBE;

    static Holds of(boolean is) {
        return is ? YES : NO;
    }

    Holds not() {
        return this == MAYBE ? MAYBE : of(this == NO);
    }

    Holds and(Holds other) {
        return this == NO || other == NO ? NO : this == YES ? other : MAYBE;
    }

    Holds or(Holds other) {
        return not().and(other.not()).not();
    }
}
