package io.weir.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Holds the choice of a server to the budget of docs/hot-paths.md: bytes allocated per request, warm. */
class ChoiceAllocationTest {
    private static final int WARM = 20_000;
    private static final int OPERATIONS = 1_000;

    private static long perRequest(PoolBench bench) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM; i++) {
            request(bench);
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                request(bench);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / OPERATIONS;
    }

    private static void request(PoolBench bench) {
        Attempts a = bench.request();
        a.first(0);
        a.answered(200, 0);
        a.over();
    }

    @Test
    void choosingAServerAllocatesWhatTheRequestRemembersOnly() {
        assertThat(perRequest(PoolBench.of(1))).isLessThanOrEqualTo(80);
        assertThat(perRequest(PoolBench.of(8))).isLessThanOrEqualTo(80);
        assertThat(perRequest(PoolBench.of(8, "balance=least-outstanding", "max-outstanding=10")))
                .isLessThanOrEqualTo(80);
    }
}
