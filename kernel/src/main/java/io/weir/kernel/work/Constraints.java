package io.weir.kernel.work;

import org.jspecify.annotations.Nullable;

/** The constraints that a work manager names; each is null if none is named. Immutable. */
record Constraints(
        @Nullable MinThreads min,
        @Nullable MaxThreads max,
        @Nullable Capacity capacity) implements FairQueue.Gate {
    static final Constraints NONE = new Constraints(null, null, null);

    /** Whether any constraint applies, so that work must pass through an ordered queue. */
    boolean any() {
        return min != null || max != null || capacity != null;
    }

    @Override
    public boolean pass() {
        return max == null || max.tryAcquire();
    }

    @Override
    public boolean owed() {
        return min != null && min.owed();
    }

    boolean enter() {
        return capacity == null || capacity.enter();
    }

    void reenter() {
        if (capacity != null) {
            capacity.reenter();
        }
    }

    void leave() {
        if (capacity != null) {
            capacity.leave();
        }
    }

    void queued() {
        if (min != null) {
            min.queued();
        }
    }

    void began() {
        if (min != null) {
            min.began();
        }
    }

    void ended() {
        if (min != null) {
            min.ended();
        }
        if (max != null) {
            max.release();
        }
    }
}
