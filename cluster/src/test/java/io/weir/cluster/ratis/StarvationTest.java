package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How late a process gets its processors is known at once, and forgotten half a minute later. */
class StarvationTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void theWorstOfTheLastHalfMinuteCounts() {
        Starvation starvation = new Starvation();
        starvation.late(0, 20 * MILLI);
        starvation.late(1, 300 * MILLI);
        starvation.late(Starvation.SLOT_NANOS, 50 * MILLI);
        assertThat(starvation.worst(Starvation.SLOT_NANOS)).isEqualTo(300 * MILLI);
        assertThat(starvation.worst(6 * Starvation.SLOT_NANOS - 1)).isEqualTo(300 * MILLI);
        assertThat(starvation.worst(6 * Starvation.SLOT_NANOS)).isEqualTo(50 * MILLI);
        assertThat(starvation.worst(7 * Starvation.SLOT_NANOS)).isZero();
    }

    @Test
    void aLongPauseForgetsWhatWasBefore() {
        Starvation starvation = new Starvation();
        starvation.late(0, 300 * MILLI);
        starvation.late(100 * Starvation.SLOT_NANOS, MILLI);
        assertThat(starvation.worst(100 * Starvation.SLOT_NANOS)).isEqualTo(MILLI);
    }

    @Test
    void theOriginOfTheClockMayBeNegative() {
        Starvation starvation = new Starvation();
        long now = -100 * Starvation.SLOT_NANOS;
        starvation.late(now, 7 * MILLI);
        assertThat(starvation.worst(now)).isEqualTo(7 * MILLI);
        assertThat(starvation.worst(now + 6 * Starvation.SLOT_NANOS)).isZero();
    }
}
