package io.weir.cluster.singleton;

import java.time.Duration;

/**
 * Time-outs and concurrency limit of service code. Immutable.
 *
 * @param activation time-out of {@code activate}
 * @param deactivation time-out of {@code deactivate}; after the same time again the process is halted if configured,
 *     earlier if the lease ends
 * @param atOnce maximum number of concurrent activations on a member
 * @param haltOnHang whether a service that does not deactivate halts the process
 */
public record SingletonTimes(Duration activation, Duration deactivation, int atOnce, boolean haltOnHang) {
    /** 30 s, 10 s, 4, and no halt. */
    public static final SingletonTimes DEFAULT =
            new SingletonTimes(Duration.ofSeconds(30), Duration.ofSeconds(10), 4, false);
}
