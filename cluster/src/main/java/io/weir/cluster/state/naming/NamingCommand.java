package io.weir.cluster.state.naming;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;

/**
 * Commands about the naming tree. Refused with {@link Refusal#STALE_FENCE}, and counted, unless the fence is the
 * lease's current one. Bindings of a member itself, and of operators, use the lease {@code member/NAME}.
 */
public sealed interface NamingCommand extends Command {
    /** Refused with {@link Refusal#NAME_BOUND} if another value, or a name above or below it, is bound. */
    record Bind(String path, String lease, Fence fence, BindingValue value) implements NamingCommand {}

    /** As Bind, but replaces a value bound under the same lease, or a text. */
    record Rebind(String path, String lease, Fence fence, BindingValue value) implements NamingCommand {}

    /** Removes a value bound under the same lease, or a text. Accepted also if nothing is bound. */
    record Unbind(String path, String lease, Fence fence) implements NamingCommand {}
}
