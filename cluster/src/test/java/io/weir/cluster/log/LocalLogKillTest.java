package io.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.Stats;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with a local log is killed while it writes. */
@Tag("slow")
class LocalLogKillTest {
    private static final int KILLS = 3;
    private static final int[] ANSWERS = {150, 1200, 400};

    @TempDir
    Path directory = Path.of(".");

    @Test
    void whatWasAnsweredIsThereInOrderAfterAKill() throws Exception {
        int answered = -1;
        for (int kill = 0; kill < KILLS; kill++) {
            answered = killedAfter(answered + ANSWERS[kill]);
            CountingProcess.Numbers state = new CountingProcess.Numbers();
            LocalLog log =
                    LocalLog.open(directory, "a", state, new HandLoop(0), Chance.seeded(1), new Stats(), Log.NONE);
            log.close();
            assertThat(state.numbers)
                    .isEqualTo(IntStream.range(0, state.numbers.size()).boxed().toList());
            assertThat(state.numbers).hasSizeGreaterThan(answered);
            answered = state.numbers.size() - 1;
        }
    }

    /** Kills the process once that number was answered; the last one of which it said so. */
    private int killedAfter(int number) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CountingProcess.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int last = -1;
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                // the line it was killed in may be a part of one
                last = Math.max(last, Integer.parseInt(line));
                if (last >= number) {
                    process.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(last).as("it answered, then was killed").isGreaterThanOrEqualTo(number);
        return last;
    }
}
