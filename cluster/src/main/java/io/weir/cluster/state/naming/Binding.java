package io.weir.cluster.state.naming;

import io.weir.base.Fence;

/**
 * A bound name of the naming tree. Immutable.
 *
 * @param path parts separated by {@code /}
 * @param lease under which it was bound: it is removed when that lease ends, moves or is reacquired
 * @param fence the lease's fence when it was bound
 * @param member the lease's owner
 * @param index of the entry that bound it
 */
public record Binding(String path, String lease, Fence fence, String member, BindingValue value, long index) {}
