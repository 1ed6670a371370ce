package io.weir.cluster.singleton;

import java.time.Duration;

/**
 * How long services' code may take, and how much of it at once. Immutable.
 *
 * @param activation time-out of {@code activate}
 * @param deactivation time-out of {@code deactivate}; after as long again the process is halted if so configured,
 * earlier where     the lease is over
 * @param atOnce activations that run at the same time on a member
 * @param haltOnHang whether a service that does not let go halts the process
 */
public record SingletonTimes(Duration activation, Duration deactivation, int atOnce, boolean haltOnHang) {
    /** 30 s, 10 s, 4, and no halt. */
    public static final SingletonTimes DEFAULT =
            new SingletonTimes(Duration.ofSeconds(30), Duration.ofSeconds(10), 4, false);
}
