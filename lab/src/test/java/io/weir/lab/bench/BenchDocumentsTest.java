package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.OptionError;
import io.weir.lab.bench.jms.JmsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each command line of {@code weir bench} in the documents is one that the benchmark takes. */
final class BenchDocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    /** In a block, up to its comment; in running text, between back quotes. */
    private static final Pattern LINE = Pattern.compile("(?m)^ *\\./weir bench ([^#\\n]*)|`\\./weir bench ([^`]*)`");

    private static void parse(String line) throws OptionError {
        List<String> words = new ArrayList<>(Arrays.asList(line.strip().split("\\s+")));
        words.replaceAll(w -> w.equals("R") || w.equals("N") ? "100" : w);
        if (words.getFirst().equals("jms")) {
            JmsOptions.parse(words.subList(1, words.size()));
        } else {
            BenchOptions.parse(words);
        }
    }

    @Test
    void eachCommandLineOfADocumentIsTaken() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(f -> f.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        int lines = 0;
        List<String> wrong = new ArrayList<>();
        for (Path document : documents) {
            Matcher m = LINE.matcher(Files.readString(document));
            while (m.find()) {
                String line = m.group(1) == null ? m.group(2) : m.group(1);
                lines++;
                try {
                    parse(line);
                } catch (OptionError e) {
                    wrong.add(ROOT.relativize(document) + ": " + line.strip() + ": " + e.getMessage());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(lines).isGreaterThan(20);
    }

    @Test
    void aWrongOneIsFound() {
        assertThat(catchThrowable(() -> parse("http --scenario hats"))).isInstanceOf(OptionError.class);
        assertThat(catchThrowable(() -> parse("jms --pace 3"))).isInstanceOf(OptionError.class);
    }
}
