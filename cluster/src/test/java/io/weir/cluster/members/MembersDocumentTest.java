package io.weir.cluster.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/wire.md says what the code says. */
final class MembersDocumentTest {
    @Test
    void everyFrameBetweenMembersIsDescribed() throws IOException {
        assertThat(Pattern.compile("^\\| 0x7[0-7] \\| [A-Z_]+ \\|", Pattern.MULTILINE)
                        .matcher(Files.readString(Path.of("../docs/wire.md")))
                        .results()
                        .map(MatchResult::group))
                .containsExactlyElementsOf(Arrays.stream(MembersFrame.values())
                        .map(f -> String.format("| 0x%02x | %s |", f.code(), f))
                        .toList());
    }
}
