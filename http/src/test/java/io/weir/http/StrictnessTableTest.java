package io.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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

    private static Map<String, String> table() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("..", "docs", "http-strictness.md"))) {
            return lines.filter(line -> line.startsWith("| ") && !line.startsWith("| label"))
                    .map(line -> line.split(" \\| ", -1))
                    .collect(Collectors.toMap(
                            cells -> cells[0].substring(2),
                            cells -> cells[1] + " " + cells[4].replace(" |", ""),
                            (a, b) -> a + b,
                            TreeMap::new));
        }
    }
}
