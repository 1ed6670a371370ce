package io.weir.cluster.lease;

import org.jspecify.annotations.Nullable;

/** A lease was not granted: a regular answer, not a failure. Immutable. */
public final class LeaseRefused extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient @Nullable Owner holder;

    LeaseRefused(String reason, @Nullable Owner holder) {
        super(reason, null, false, false);
        this.holder = holder;
    }

    /** The holder; null if it was refused for another reason. */
    public @Nullable Owner holder() {
        return holder;
    }
}
