package io.weir.server.migrate.nginx;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.server.migrate.draft.Findings;
import io.weir.server.migrate.nginx.NginxParser.Directive;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random trees of directives: written in any of nginx's ways, they are read as what they are. */
class NginxParserFuzzTest {
    private static final String CHARACTERS = "abz09/.:$*~^|()-_{};\"'\\ #\t=+,";

    /** A directive as it was made. */
    private record Made(
            String name, List<String> arguments, @Nullable List<Made> block) {
        static Made of(Directive d) {
            List<Directive> inner = d.block();
            return new Made(
                    d.name(),
                    d.arguments(),
                    inner == null ? null : inner.stream().map(Made::of).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsWrittenIsRead(long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        for (int i = 0; i < 300; i++) {
            List<Made> made = block(random, 0);
            StringBuilder text = new StringBuilder();
            write(made, text, random);
            Findings findings = new Findings();
            List<Directive> read = new NginxParser(findings, Path.of(".")).read(Path.of("nginx.conf"), text.toString());

            assertThat(findings.problems()).as(text.toString()).isEmpty();
            assertThat(read.stream().map(Made::of).toList()).as(text.toString()).isEqualTo(made);
        }
    }

    private static List<Made> block(RandomGenerator random, int depth) {
        List<Made> made = new ArrayList<>();
        for (int n = random.nextInt(depth == 0 ? 6 : 4); n > 0; n--) {
            List<String> arguments = new ArrayList<>();
            for (int k = random.nextInt(4); k > 0; k--) {
                arguments.add(word(random));
            }
            boolean inner = depth < 4 && random.nextInt(3) == 0;
            made.add(new Made("d" + random.nextInt(9), arguments, inner ? block(random, depth + 1) : null));
        }
        return made;
    }

    private static String word(RandomGenerator random) {
        StringBuilder word = new StringBuilder();
        for (int n = random.nextInt(9); n > 0; n--) {
            word.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return word.toString();
    }

    private static void write(List<Made> made, StringBuilder text, RandomGenerator random) {
        for (Made m : made) {
            text.append(blank(random)).append(m.name());
            for (String argument : m.arguments()) {
                text.append(random.nextBoolean() ? " " : "\n\t").append(written(argument, random));
            }
            if (m.block() == null) {
                text.append(random.nextBoolean() ? ";" : " ;");
            } else {
                text.append(" {");
                write(m.block(), text, random);
                text.append(blank(random)).append('}');
            }
        }
    }

    private static String blank(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> "\n";
            case 1 -> " # a \"comment; { }\n";
            case 2 -> "\r\n  ";
            default -> " ";
        };
    }

    private static String written(String argument, RandomGenerator random) {
        boolean bare = argument.matches("[A-Za-z0-9/.:*~^|()_=+,-]+");
        if (bare && random.nextBoolean()) {
            return argument;
        }
        char quote = random.nextBoolean() ? '"' : '\'';
        return quote + argument.replace("\\", "\\\\").replace(String.valueOf(quote), "\\" + quote) + quote;
    }
}
