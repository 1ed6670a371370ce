package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static BenchLine run(String line) {
        List<String> words = new ArrayList<>(Arrays.asList(line.strip().split("\\s+")));
        words.replaceAll(w -> w.equals("R") || w.equals("N") ? "100" : w);
        return new BenchLine(words);
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
                BenchLine taken = run(line);
                if (taken.code() != 0) {
                    wrong.add(ROOT.relativize(document) + ": " + line.strip() + ": " + taken.err());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(lines).isGreaterThan(20);
    }

    @Test
    void aWrongOneIsFound() {
        assertThat(run("http --scenario hats").code()).isEqualTo(2);
        assertThat(run("jms --pace 3").code()).isEqualTo(2);
    }
}
