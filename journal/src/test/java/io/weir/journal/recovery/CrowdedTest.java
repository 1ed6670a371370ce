package io.weir.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.RecordingLog;
import io.weir.base.SteppedClock;
import io.weir.journal.Bench;
import io.weir.journal.Group;
import io.weir.journal.Journal;
import io.weir.journal.Journals;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start says how far it is, and refuses what does not fit, whole, before it takes the memory. */
class CrowdedTest {
    private static final int ENTRIES = 3000;

    @TempDir
    Path directory = Path.of(".");

    private Bench bench = new Bench(directory);

    @BeforeEach
    void fill() throws Exception {
        bench = new Bench(directory);
        Journal journal = bench.open();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i += 100) {
            Group g = journal.group();
            for (int k = 0; k < 100; k++) {
                ids.add(g.add(1, Bench.text("text " + i + k)));
            }
            assertThat(bench.submit(g)).isNull();
        }
        List<Long> gone = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i += 3) {
            gone.add(ids.get(i));
        }
        bench.remove(gone);
        bench.close();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** Counts the calls. */
    private static final class Counting implements Replay {
        private final long heap;
        private int told;
        private boolean crowded;
        private boolean ended;

        Counting(long heap) {
            this.heap = heap;
        }

        @Override
        public void entry(long id, int type, ByteBuffer payload) {
            told++;
        }

        @Override
        public long heap() {
            return heap;
        }

        @Override
        public void crowded() {
            assertThat(told).as("nothing was told before").isZero();
            crowded = true;
        }

        @Override
        public void end() throws JournalFault {
            ended = true;
            if (crowded) {
                throw new JournalFault(JournalFault.Reason.NO_MEMORY, told + " do not fit");
            }
        }
    }

    private Journal open(Clock clock, RecordingLog log, Replay replay) throws JournalFault, IOException {
        return Journals.open(
                "test",
                bench.config(),
                new Journals.Parts(new FileDisk(directory), clock, Chance.seeded(1), bench.stats, log),
                replay);
    }

    @Test
    void anIndexThatDoesNotFitIsRefusedWithTheCountAndNothingIsCut() throws Exception {
        Map<String, Long> before = sizes();
        Counting small = new Counting(4096 * 20);
        assertThatThrownBy(() -> open(bench.clock, bench.log, small))
                .isInstanceOf(JournalFault.class)
                .hasMessage(ENTRIES + " do not fit");
        assertThat(sizes()).isEqualTo(before);
        Counting enough = new Counting(1 << 20);
        open(bench.clock, bench.log, enough).close();
        assertThat(enough.told).isEqualTo(ENTRIES - 1000);
        assertThat(enough.crowded).isFalse();
        assertThat(enough.ended).isTrue();
    }

    @Test
    void aStartThatTakesLongSaysHowFarItIsAndNotTooOften() throws Exception {
        RecordingLog log = new RecordingLog();
        open(new Slow(Duration.ofSeconds(1)), log, new Counting(Long.MAX_VALUE)).close();
        long reading = log.count(JournalMessages.READING);
        long replaying = log.count(JournalMessages.REPLAYING);
        // the clock is looked at once in 64 steps, and goes on by a second each time: a line for each 5 looks
        assertThat(reading).isBetween(ENTRIES / 64L / 8, ENTRIES / 64L / 5 + 1);
        assertThat(replaying).isBetween((ENTRIES - 1000) / 64L / 8, (ENTRIES - 1000) / 64L / 5 + 1);
        RecordingLog quick = new RecordingLog();
        open(new SteppedClock(0), quick, new Counting(Long.MAX_VALUE)).close();
        assertThat(quick.count(JournalMessages.READING)).isZero();
        assertThat(quick.count(JournalMessages.REPLAYING)).isZero();
    }

    private Map<String, Long> sizes() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        for (Path p : bench.segments()) {
            sizes.put(p.toString(), Files.size(p));
        }
        return sizes;
    }

    /** Each look at it takes its time. */
    private static final class Slow implements Clock {
        private final SteppedClock clock = new SteppedClock(0);
        private final Duration step;

        Slow(Duration step) {
            this.step = step;
        }

        @Override
        public long nanos() {
            clock.step(step);
            return clock.nanos();
        }

        @Override
        public long millis() {
            return clock.millis();
        }
    }
}
