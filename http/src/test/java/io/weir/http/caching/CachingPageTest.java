package io.weir.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/http-caching.md names every reason not to store. */
class CachingPageTest {

    @Test
    void thePageHoldsEveryReasonAndNothingElse() throws IOException {
        List<String> named = Files.readAllLines(Path.of("..", "docs", "http-caching.md")).stream()
                .filter(line -> line.startsWith("| ") && line.split("\\|", -1).length == 5)
                .map(line -> line.split("\\|", -1)[1].strip())
                .filter(cell -> !cell.equals("label"))
                .toList();
        assertThat(named)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Storability.values())
                        .filter(reason -> reason != Storability.STORABLE)
                        .map(Storability::label)
                        .toList());
    }
}
