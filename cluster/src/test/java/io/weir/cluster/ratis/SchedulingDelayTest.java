package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How late a process gets its processors is known at once, and forgotten half a minute later. */
class SchedulingDelayTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void theWorstOfTheLastHalfMinuteCounts() {
        SchedulingDelay starvation = new SchedulingDelay();
        starvation.late(0, 20 * MILLI);
        starvation.late(1, 300 * MILLI);
        starvation.late(SchedulingDelay.SLOT_NANOS, 50 * MILLI);
        assertThat(starvation.worst(SchedulingDelay.SLOT_NANOS)).isEqualTo(300 * MILLI);
        assertThat(starvation.worst(6 * SchedulingDelay.SLOT_NANOS - 1)).isEqualTo(300 * MILLI);
        assertThat(starvation.worst(6 * SchedulingDelay.SLOT_NANOS)).isEqualTo(50 * MILLI);
        assertThat(starvation.worst(7 * SchedulingDelay.SLOT_NANOS)).isZero();
    }

    @Test
    void aLongPauseForgetsWhatWasBefore() {
        SchedulingDelay starvation = new SchedulingDelay();
        starvation.late(0, 300 * MILLI);
        starvation.late(100 * SchedulingDelay.SLOT_NANOS, MILLI);
        assertThat(starvation.worst(100 * SchedulingDelay.SLOT_NANOS)).isEqualTo(MILLI);
    }

    @Test
    void theOriginOfTheClockMayBeNegative() {
        SchedulingDelay starvation = new SchedulingDelay();
        long now = -100 * SchedulingDelay.SLOT_NANOS;
        starvation.late(now, 7 * MILLI);
        assertThat(starvation.worst(now)).isEqualTo(7 * MILLI);
        assertThat(starvation.worst(now + 6 * SchedulingDelay.SLOT_NANOS)).isZero();
    }
}
