package io.weir.cluster.state.entry;

import io.weir.base.Fence;

/** A lease and the fence with which its presumed owner holds it. Immutable. */
public record LeaseRef(String lease, Fence fence) {
    @Override
    public String toString() {
        return lease + "@" + fence;
    }
}
