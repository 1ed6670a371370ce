package io.weir.cluster.singleton;

import io.weir.cluster.lease.Held;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a singleton's status on this member, for monitoring. Immutable but for the lease's time.
 *
 * @param held its lease while its code runs on this member; null otherwise
 * @param reason why it is in this stage
 * @param since time on the loop's monotonic clock, in nanoseconds, at which it entered the stage
 */
public record Here(
        String service, SingletonStage stage, @Nullable Held held, String reason, long since) {}
