package io.weir.cluster.lease;

import io.weir.base.Fence;
import io.weir.cluster.log.Loop;
import java.time.Duration;

/** Makes held leases outside this package, for tests. */
public final class HeldForTests {
    private HeldForTests() {}

    /** One that lasts nine seconds from now. */
    public static Held of(Loop loop, String lease, Fence fence) {
        long end = loop.clock().nanos() + Duration.ofSeconds(9).toNanos();
        return new Held(new Grant(lease, fence), loop.clock(), LeaseSafety.SAFE, end);
    }
}
