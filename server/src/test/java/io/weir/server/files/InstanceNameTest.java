package io.weir.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceNameTest {
    @TempDir
    Path dir = Path.of("");

    @Test
    void aDataDirectoryKeepsItsNameAndAnotherHasAnother() throws IOException {
        String name = InstanceName.openOrCreate(dir.resolve("a"));
        assertThat(name).matches("weir-[0-9a-f]{8}");
        assertThat(InstanceName.openOrCreate(dir.resolve("a"))).isEqualTo(name);
        assertThat(InstanceName.openOrCreate(dir.resolve("b"))).isNotEqualTo(name);
    }

    @Test
    void whatIsNoNameIsRefusedAndNotSentToAnyone() throws IOException {
        Files.writeString(dir.resolve(InstanceName.FILE), "weir\r\nX: y");
        assertThatThrownBy(() -> InstanceName.openOrCreate(dir))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("delete it");
    }
}
