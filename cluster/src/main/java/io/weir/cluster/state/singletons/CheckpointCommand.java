package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;

/**
 * Commands about checkpoints of singletons. Refused with {@link Refusal#STALE_FENCE}, and counted, unless the fence is
 * the current one of the singleton's lease.
 */
public sealed interface CheckpointCommand extends Command {
    /** Replaces the previous text of the key. */
    record Put(String singleton, String key, String text, Fence fence) implements CheckpointCommand {}

    /** Accepted also if there is none. */
    record Remove(String singleton, String key, Fence fence) implements CheckpointCommand {}
}
