package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.SteppedClock;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.ProcFiles;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.Sampler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rates and averages from counts, by the second. */
class SamplerTest {
    private final SteppedClock clock = new SteppedClock(0);
    private final FakeSource source = new FakeSource();

    @TempDir
    Path proc;

    @Test
    void ratesAreDifferencesByTheSecond() throws Exception {
        traffic(100, 1000, 5000, 0);
        Sampler sampler = sampler();
        clock.step(Duration.ofSeconds(2));
        sampler.sample();
        traffic(120, 3000, 9000, 2_000_000_000L);
        clock.step(Duration.ofSeconds(2));
        sampler.sample();

        Readings now = sampler.latest();
        assertThat(now.rateReceived()).isEqualTo(1000);
        assertThat(now.rateSent()).isEqualTo(2000);
        assertThat(now.server("default").now()).isEqualTo(2000);
        // 10 requests a second of 0.1 s, damped by one minute
        double weight = 1 - Math.exp(-1.0 / 60);
        assertThat(now.requests().one()).isCloseTo(10 * weight, within(1e-9));
        assertThat(now.responseTime().one()).isCloseTo(0.1 * weight, within(1e-9));
    }

    @Test
    void peakRateStays() throws Exception {
        traffic(0, 0, 0, 0);
        Sampler sampler = sampler();
        for (long sent : new long[] {0, 700, 800}) {
            traffic(1, 0, sent, 0);
            clock.step(Duration.ofSeconds(1));
            sampler.sample();
        }

        assertThat(sampler.latest().server("default").now()).isEqualTo(100);
        assertThat(sampler.latest().server("default").peak()).isEqualTo(700);
    }

    @Test
    void machineIsReadFromItsFiles() throws Exception {
        Files.writeString(proc.resolve("loadavg"), "0.50 0.25 0.12 1/100 4711\n");
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("self/status"), "Name:\tjava\nVmSize:\t  2048 kB\nVmRSS:\t 1024 kB\n");
        Files.writeString(proc.resolve("meminfo"), "MemTotal:       4096 kB\n");
        Files.writeString(proc.resolve("stat"), "cpu  9 9 9 9\ncpu0 100 0 50 800 50 0 0 0 0 0\n");
        Sampler sampler = sampler();
        Files.writeString(proc.resolve("stat"), "cpu  9 9 9 9\ncpu0 120 0 60 860 50 0 0 10 0 0\n");
        clock.step(Duration.ofSeconds(1));
        sampler.sample();

        Readings now = sampler.latest();
        assertThat(now.load()).isEqualTo(new Facts.Averages(0.5, 0.25, 0.12));
        assertThat(now.virtualBytes()).isEqualTo(2 * 1024 * 1024);
        assertThat(now.memoryFraction()).isEqualTo(0.25);
        assertThat(now.cpus()).containsExactly(new Readings.Cpu(0, 60, 20, 10));
    }

    @Test
    void systemWithoutSuchFilesShowsZeros() {
        Sampler sampler = sampler();
        clock.step(Duration.ofSeconds(1));
        sampler.sample();

        assertThat(sampler.latest().load()).isEqualTo(Facts.Averages.ZERO);
        assertThat(sampler.latest().cpus()).isEmpty();
        assertThat(sampler.latest().residentBytes()).isZero();
    }

    @Test
    void clockThatStandsStillTakesNoSample() {
        Sampler sampler = sampler();
        sampler.sample();

        assertThat(sampler.latest()).isSameAs(Readings.NONE);
    }

    private Sampler sampler() {
        return new Sampler(source, clock, new ProcFiles(proc));
    }

    private void traffic(long requests, long received, long sent, long nanos) {
        Facts.Requests r =
                new Facts.Requests("GET", "/", requests, received, sent, 0, 0, null, nanos, Facts.Statuses.NONE);
        source.servers = List.of(new Facts.VirtualServer("default", true, List.of(), List.of(), r, List.of()));
    }
}
