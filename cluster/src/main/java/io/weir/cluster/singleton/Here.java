package io.weir.cluster.singleton;

import io.weir.cluster.lease.Held;
import org.jspecify.annotations.Nullable;

/**
 * A singleton as this member has it; a moment's view, for monitoring. Immutable but for the lease's time.
 *
 * @param held its lease, while its code runs here; null otherwise
 * @param reason why it is in this stage
 * @param since nanoseconds of the loop's clock at which it came into it
 */
public record Here(
        String service, SingletonStage stage, @Nullable Held held, String reason, long since) {}
