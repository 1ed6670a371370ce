package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegularFileTest {
    @TempDir
    private Path files;

    @ParameterizedTest
    @ValueSource(strings = {"/dev/zero", "/dev/random", "/dev", "fifo"})
    @Timeout(60)
    void whatHasNoSizeIsNotOpened(String name) throws Exception {
        Path file = name.equals("fifo") ? fifo() : Path.of(name);
        assertThatThrownBy(() -> RegularFile.read(file, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it is no regular file");
        if (!name.equals("/dev")) {
            assertThatThrownBy(() -> TextFile.parse(file.toString()))
                    .hasMessage("the file cannot be read: it is no regular file");
        }
    }

    private Path fifo() throws Exception {
        Path fifo = files.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        return fifo;
    }

    @Test
    void atMostOneByteMoreThanTheBoundIsRead() throws IOException {
        Path file = Files.writeString(files.resolve("a"), "0123456789");
        assertThat(RegularFile.read(file, 10)).hasSize(10);
        assertThat(RegularFile.read(file, 4)).hasSize(5);
        assertThatThrownBy(() -> RegularFile.read(files.resolve("none"), 4)).hasMessageContaining("none");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheText() throws IOException {
        Path file = Files.writeString(files.resolve("a"), "\uFEFF<Object>\uFEFF");
        assertThat(TextFile.parse(file.toString()).text()).isEqualTo("<Object>\uFEFF");
        Files.write(file, new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 'x', (byte) 0xFF});
        assertThat(TextFile.parse(file.toString()).text().getBytes(StandardCharsets.ISO_8859_1))
                .hasSize(5);
    }
}
