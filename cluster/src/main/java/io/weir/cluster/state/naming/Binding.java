package io.weir.cluster.state.naming;

import io.weir.base.Fence;

/**
 * A name of the naming tree. Immutable.
 *
 * @param path parts separated by {@code /}
 * @param lease under which it stands: it is dropped when that ends, moves or is acquired anew
 * @param fence the lease's when it was bound
 * @param member the lease's owner
 * @param index of the entry that bound it
 */
public record Binding(String path, String lease, Fence fence, String member, BindingValue value, long index) {}
