package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command lines that the usage texts of {@code weir bench} show are taken as they stand. */
final class BenchUsageTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^  \\./weir bench (.+)$");

    private static Set<String> examples(String usage) {
        Matcher m = EXAMPLE.matcher(usage);
        return m.results().map(r -> r.group(1)).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "jms", "growth", "disk"})
    void eachExampleAsksForABenchmark(String benchmark) {
        Set<String> examples = examples(new BenchLine(List.of(benchmark, "--help")).out());
        assertThat(examples).isNotEmpty().allSatisfy(e -> {
            BenchLine line = BenchLine.of(e);
            assertThat(line.code()).as(line.err()).isZero();
            assertThat(line.asks()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"http --rownds 6", "jms --scenario topics", "growth --growth hats"})
    void aWrongOneWouldBeFound(String wrong) {
        assertThat(examples("Example:\n  ./weir bench " + wrong + "\n")).containsExactly(wrong);
        assertThat(BenchLine.of(wrong).asks()).isFalse();
    }
}
