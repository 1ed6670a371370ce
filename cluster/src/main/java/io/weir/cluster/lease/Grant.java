package io.weir.cluster.lease;

import io.weir.base.Fence;

/**
 * A lease and the fence it was granted with: what is renewed and released. Immutable.
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
