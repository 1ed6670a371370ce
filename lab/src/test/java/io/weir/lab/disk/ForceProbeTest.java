package io.weir.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The probe of the disk's forced writes. */
class ForceProbeTest {
    @Test
    void measuresBothWaysAndLeavesNothing(@TempDir Path directory) throws Exception {
        ForceProbe.Rate direct = ForceProbe.direct(directory, SystemClock.INSTANCE, Duration.ofMillis(50));
        ForceProbe.Rate forced = ForceProbe.forced(directory, SystemClock.INSTANCE, Duration.ofMillis(50));
        assertThat(direct.writes()).isPositive();
        assertThat(direct.perSecond()).isPositive();
        assertThat(forced.perSecond()).isPositive();
        assertThat(directory).isEmptyDirectory();
    }
}
