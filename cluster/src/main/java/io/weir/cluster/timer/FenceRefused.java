package io.weir.cluster.timer;

import io.weir.base.Fence;

/**
 * A write of a firing was refused because of its fence: another member may fire by now. The firing is not done; the
 * holder of the timers' lease repeats it. A listener may also throw it if its storage refuses the fence. Immutable.
 */
public final class FenceRefused extends Exception {
    private static final long serialVersionUID = 1;

    public FenceRefused(Fence fence) {
        super("fence " + fence + " is no longer current", null, false, false);
    }
}
