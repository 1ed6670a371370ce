package io.weir.lab.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.bench.BenchLine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class GrowthBenchCommandTest {
    @Test
    void withoutOptionsAllGrowthsAreMeasured() {
        GrowthOptions options = BenchLine.growth("");
        assertThat(options.growths()).containsExactly(Growth.values());
        assertThat(options.rounds()).isEqualTo(6);
        assertThat(options.seconds()).isEqualTo(2);
        assertThat(options.maxStep()).isEqualTo(1_000_000);
        assertThat(options.seed()).isEqualTo(1);
        assertThat(options.html()).endsWithRaw(Path.of("lab/target/bench/growth.html"));
        assertThat(options.svg()).isNull();
        assertThat(BenchLine.growth(" --growth all").growths()).containsExactly(Growth.values());
    }

    @Test
    void everyOptionIsRead() {
        assertThat(
                        BenchLine.growth(
                                " --growth routes,objects --rounds 7 --seconds 1 --max-step 10000 --seed -4 --html x.html --svg charts --install"))
                .isEqualTo(new GrowthOptions(
                        List.of(Growth.OBJECTS, Growth.ROUTES),
                        7,
                        1,
                        10_000,
                        true,
                        -4,
                        Path.of("x.html"),
                        Path.of("charts")));
    }

    @ParameterizedTest
    @EnumSource
    void everyGrowthIsTakenByItsName(Growth growth) {
        assertThat(BenchLine.growth(" --growth " + growth.key()).growths()).containsExactly(growth);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--growth cache | `cache` is none of connections, objects,",
                "--growth objects, | `` is none of connections,",
                "--growth OBJECTS | `OBJECTS` is none of",
                "--rounds 0 | --rounds takes 1 to 1000, not 0",
                "--rounds many | option '--rounds': 'many' is not an int",
                "--seconds 601 | --seconds takes 1 to 600, not 601",
                "--max-step 0 | --max-step takes 1 to 1000000, not 0",
                "--max-step 1000001 | --max-step takes 1 to 1000000",
                "--growth objects --max-step 100 | --max-step: objects has no two steps up to 100; its steps are 100, 1,000,",
                "--html . | --html takes a file, and . is a folder",
                "--svg pom.xml | --svg takes a folder, and pom.xml is a file",
                "--peers nginx | unknown option: --peers; there are --growth, --rounds, --seconds, --max-step, --seed, --html, --svg",
                "objects | Unmatched argument at index 1: 'objects'"
            })
    void whatIsWrongIsNamed(String words, String message) {
        BenchLine line = BenchLine.of("growth " + words);
        assertThat(line.code()).isEqualTo(2);
        assertThat(line.err()).startsWith("weir: ").contains(message, "Usage: weir bench growth");
        assertThat(line.asks()).isFalse();
    }

    @Test
    void helpShowsEachOptionWithItsUnitAndDefault() {
        BenchLine line = BenchLine.of("growth --help");
        assertThat(line.code()).isZero();
        assertThat(line.out().replaceAll("\\s+", " "))
                .contains("of connections, objects,", "or all (default: all)")
                .contains("1 to 1000; fewer than 6 give no verdict (default: 6)")
                .contains("in seconds, 1 to 600 (default: 2)")
                .contains("1 to 1000000 (default: 1000000)");
    }
}
