package io.weir.wire.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.wire.invoke.InvocationFault.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/wire.md says of calls what the code says. */
final class InvokeDocumentTest {
    private static List<String> rows(String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("../docs/wire.md")))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void everyFrameIsDescribed() throws IOException {
        assertThat(rows("^\\| 0x6[0-9a-f] \\| [A-Z_]+ \\|"))
                .containsExactlyElementsOf(Arrays.stream(InvokeFrame.values())
                        .map(f -> String.format("| 0x%02x | %s |", f.code(), f))
                        .toList());
    }

    @Test
    void everyFailureIsDescribed() throws IOException {
        assertThat(rows("^\\| \\d+ \\| [a-z-]+ \\| .* \\| (yes|no|unknown) \\|$"))
                .containsExactlyElementsOf(Arrays.stream(Code.values())
                        .map(c -> "| " + c.number() + " | " + c.label() + " | " + c.when() + " | "
                                + c.executed().name().toLowerCase(Locale.ROOT) + " |")
                        .toList());
    }
}
