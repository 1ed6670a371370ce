package io.weir.cluster.lease;

import io.weir.base.Fence;

/**
 * A lease and the fence with which it was granted; used to renew and release it. Immutable.
 *
 * @param lease {@code singleton/NAME}, {@code member/NAME} …
 * @param fence higher than that of every earlier grant of this lease
 */
public record Grant(String lease, Fence fence) {
    @Override
    public String toString() {
        return lease + "@" + fence;
    }
}
