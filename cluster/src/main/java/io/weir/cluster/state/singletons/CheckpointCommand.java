package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;

/**
 * Commands about what singletons remember. Refused with {@link Refusal#STALE_FENCE}, and counted, unless the fence is the
 * current one of the singleton's lease.
 */
public sealed interface CheckpointCommand extends Command {
    /** In place of what the key had. */
    record Put(String singleton, String key, String text, Fence fence) implements CheckpointCommand {}

    /** Done also when there is nothing. */
    record Remove(String singleton, String key, Fence fence) implements CheckpointCommand {}
}
