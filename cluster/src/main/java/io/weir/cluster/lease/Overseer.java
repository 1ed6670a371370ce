package io.weir.cluster.lease;

/** The leader's side of leasing. */
public final class Overseer {
    private Overseer() {}
}
