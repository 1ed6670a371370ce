package io.weir.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are there whole or not at all. */
final class PrivateFilesTest {
    @TempDir
    private Path folder = Path.of("");

    private Stream<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(p -> p.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void writeThatFailsLeavesNothingBesideTheFile() throws IOException {
        Path file = folder.resolve("000001.yaml");
        // what has something in it cannot be replaced
        Files.createDirectories(file.resolve("in-the-way"));
        assertThatThrownBy(() -> PrivateFiles.write(file, "text")).isInstanceOf(NotWritten.class);
        assertThat(names()).containsExactly("000001.yaml");
    }

    @Test
    void writeReplacesTheFile() throws IOException {
        Path file = folder.resolve("000001.yaml");
        PrivateFiles.write(file, "one");
        PrivateFiles.write(file, "two");
        assertThat(file).hasContent("two");
        assertThat(names()).containsExactly("000001.yaml");
    }
}
