package io.weir.server.migrate.squid;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.server.migrate.draft.Findings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random directives: written with comments, blanks and continued lines, they are read as what they are. */
class SquidParserFuzzTest {
    private static final String CHARACTERS = "abz09/.:$*~^|()-_{};\"'!%=+,[]?";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsWrittenIsRead(long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        for (int i = 0; i < 300; i++) {
            List<String> made = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(8); n > 0; n--) {
                directive(made, text, random);
            }
            Findings findings = new Findings();
            List<String> read = new SquidParser(findings, Path.of("."))
                    .read(Path.of("squid.conf"), text.toString()).stream()
                            .map(SquidParser.Directive::text)
                            .toList();

            assertThat(findings.problems()).as(text.toString()).isEmpty();
            assertThat(read).as(text.toString()).isEqualTo(made);
        }
    }

    private static void directive(List<String> made, StringBuilder text, RandomGenerator random) {
        String name = "directive_" + random.nextInt(9);
        StringBuilder whole = new StringBuilder(name);
        text.append(random.nextBoolean() ? "" : "# a comment \\ of all\n\n").append("  ".repeat(random.nextInt(2)));
        text.append(name);
        for (int k = random.nextInt(5); k > 0; k--) {
            String word = word(random);
            whole.append(' ').append(word);
            text.append(
                            switch (random.nextInt(3)) {
                                case 0 -> "\t ";
                                case 1 -> " \\\n   ";
                                default -> " ";
                            })
                    .append(word);
        }
        made.add(whole.toString());
        text.append(random.nextBoolean() ? "\n" : "  # what for\n");
    }

    private static String word(RandomGenerator random) {
        StringBuilder word = new StringBuilder("w");
        for (int n = random.nextInt(9); n > 0; n--) {
            word.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return word.toString();
    }
}
