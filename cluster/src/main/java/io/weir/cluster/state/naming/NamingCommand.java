package io.weir.cluster.state.naming;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;

/**
 * Commands about the naming tree. Refused with {@link Refusal#STALE_FENCE}, and counted, unless the fence is the lease's
 * current one. Something of a member's own, and what operators bind there, stands under {@code member/NAME}.
 */
public sealed interface NamingCommand extends Command {
    /** Refused with {@link Refusal#NAME_BOUND} when there is something else, above it or below it too. */
    record Bind(String path, String lease, Fence fence, BindingValue value) implements NamingCommand {}

    /** As Bind, and replaces what the same lease bound, or a text. */
    record Rebind(String path, String lease, Fence fence, BindingValue value) implements NamingCommand {}

    /** Removes what the same lease bound, or a text. Done also when there is nothing. */
    record Unbind(String path, String lease, Fence fence) implements NamingCommand {}
}
