package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class IoReasonTest {
    @Test
    void aPathAloneIsNoReason() {
        assertThat(IoReason.of(new NoSuchFileException("/a"))).isEqualTo("/a: no such file or folder");
        assertThat(IoReason.ofFile(new AccessDeniedException("/a"))).isEqualTo("permission denied");
        assertThat(IoReason.of(new FileSystemException("/a", null, "No space left on device")))
                .isEqualTo("/a: No space left on device");
    }

    @Test
    void anExceptionWithoutMessageHasItsName() {
        assertThat(IoReason.of(new EOFException())).isEqualTo("EOFException");
        assertThat(IoReason.ofFile(new IOException("too long"))).isEqualTo("too long");
    }
}
