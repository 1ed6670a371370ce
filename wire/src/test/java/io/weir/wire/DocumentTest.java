package io.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.wire.WireFault.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/wire.md says what the code says. */
final class DocumentTest {
    private static String document() throws IOException {
        return Files.readString(Path.of("../docs/wire.md"));
    }

    private static List<String> rows(String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(document())
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void everyFrameOfTheWireAndOfNamingIsDescribed() throws IOException {
        assertThat(rows("^\\| 0x[01][0-9a-f] \\| [A-Z_]+ \\|"))
                .containsExactlyElementsOf(Arrays.stream(WireFrame.values())
                        .map(f -> String.format("| 0x%02x | %s |", f.code(), f))
                        .toList());
    }

    @Test
    void everyReasonIsDescribed() throws IOException {
        assertThat(rows("^\\| \\d+ \\| [a-z-]+ \\| (yes|no) \\|"))
                .containsExactlyElementsOf(Arrays.stream(Reason.values())
                        .map(r -> "| " + r.code() + " | " + r.label() + " | " + (r.retryable() ? "yes" : "no") + " |")
                        .toList());
    }
}
