package io.weir.lab.bench.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.bench.BenchLine;
import io.weir.lab.bench.peer.RuleCase;
import io.weir.lab.bench.peer.WeirConfigs;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark of rules, but for its measurements. */
final class RulesBenchTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void optionsAreRead() {
        assertThat(BenchLine.rules("")).isEqualTo(new RulesOptions(6, 1, 10_000, false, 1));
        assertThat(BenchLine.rules(" --rounds 3 --seconds 2 --max-rules 1000 --seed 5 --install"))
                .isEqualTo(new RulesOptions(3, 2, 1000, true, 5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds 0 | --rounds takes 1 to 1000, not 0",
                "--max-rules 10 | --max-rules takes 100 to 10000, not 10",
                "--max-rules 10001 | --max-rules takes 100 to 10000, not 10001"
            })
    void wrongOptionsAreRefused(String words, String message) {
        BenchLine line = BenchLine.of("rules " + words);
        assertThat(line.code()).isEqualTo(2);
        assertThat(line.err()).contains(message);
    }

    /** The configuration is correct, and each kind of rule names the object. */
    @Test
    void theProgramIsCorrect() throws IOException {
        Path objects = Files.writeString(folder.resolve("obj.conf"), RulesConfigs.objects(9, 20));
        Path file = Files.writeString(folder.resolve("weir.yaml"), WeirConfigs.objects(objects, false));
        LoadedConfig loaded = new ConfigLoader(file, List.of(), folder).load();
        assertThat(loaded.problems()).isEmpty();
        assertThat(Files.readString(objects))
                .contains(
                        "from=\"" + RuleCase.FIRST.path(20) + "/*\"",
                        "from=\"" + RuleCase.LAST.path(20) + "/*\"",
                        "$uri =~ '^" + RuleCase.REGEX.path(20) + "/'")
                .doesNotContain(RuleCase.NONE.path(20));
    }

    /** The scenario buckets counts a call of each request: it has the bucket that its end looks for. */
    @Test
    void theProgramWithABucketIsCorrect() throws IOException {
        Path objects = Files.writeString(folder.resolve("buckets.conf"), WeirConfigs.bucketed(9));
        Path file = Files.writeString(folder.resolve("weir.yaml"), WeirConfigs.objects(objects, true));
        LoadedConfig loaded = new ConfigLoader(file, List.of(), folder).load();
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.value().proxy().buckets()).containsOnlyKeys(WeirConfigs.BUCKET);
    }

    @Test
    void theGuidesTimesAreBesideThoseThatWereMeasured() {
        assertThat(RulesTable.cached(List.of(10, 10_000), List.of(0.05, 0.051)).lines())
                .anyMatch(l -> l.matches("\\| 10 +\\| 1.05 +\\| 0.050 +\\| 1.00 +\\| 1.00 +\\|"))
                .anyMatch(l -> l.matches("\\| 10000 +\\| 32.50 +\\| 0.051 +\\| 30.95 +\\| 1.02 +\\|"));
        assertThat(RulesTable.remote(List.of(10, 10_000), List.of(100.0, 101.0)))
                .contains("271.20", "101.000", "1.14", "1.01");
    }

    @Test
    void aSingleRequestTakesAsLongAsItsOrigin() throws IOException, BenchFailure {
        try (RemoteOrigin origin = new RemoteOrigin(20)) {
            assertThat(new SingleRequests(SystemClock.INSTANCE)
                            .millis(URI.create("http://127.0.0.1:" + origin.port() + "/o"), 3))
                    .isGreaterThanOrEqualTo(20);
        }
    }
}
