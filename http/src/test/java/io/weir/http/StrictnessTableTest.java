package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/http-strictness.md holds every fault, with its status and its words. */
class StrictnessTableTest {
    @Test
    void theTableHoldsEveryFaultAndNothingElse() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        for (Fault fault : Fault.values()) {
            boolean response = fault.label().startsWith("status-");
            expected.put(fault.label(), fault.text() + " " + (response ? 502 : fault.status()));
        }
        assertThat(table()).isEqualTo(expected);
    }

    @Test
    void everyKnownAttackNamesAMessageOfTheCorpus() throws IOException {
        Set<String> corpus =
                Corpus.of(false, Side.REQUEST).stream().map(Corpus.Entry::name).collect(Collectors.toSet());
        List<String> named = rows(3).map(cells -> cells[2].replace(" |", "")).toList();
        assertThat(named).hasSizeGreaterThan(15);
        assertThat(corpus).containsAll(named);
    }

    private static Stream<String[]> rows(int columns) throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "http-strictness.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| label") && !line.startsWith("| attack"))
                .map(line -> line.split(" \\| ", -1))
                .filter(cells -> cells.length == columns);
    }

    private static Map<String, String> table() throws IOException {
        try (Stream<String[]> rows = rows(5)) {
            return rows.collect(Collectors.toMap(
                    cells -> cells[0].substring(2),
                    cells -> cells[1] + " " + cells[4].replace(" |", ""),
                    (a, b) -> a + b,
                    TreeMap::new));
        }
    }
}
