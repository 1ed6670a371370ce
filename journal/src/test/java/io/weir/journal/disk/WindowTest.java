package io.weir.journal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WindowTest {
    private static final int WINDOW = 128 * 1024;

    @TempDir
    Path folder = Path.of("");

    @Test
    void zerosAreSkippedUpToTheFirstOtherByteAcrossWindowsAndAfterALargeRecord() throws Exception {
        Disk disk = new FileDisk(folder);
        long[] others = {0, 7, 8, 4096, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW + 5};
        long size = 4 * WINDOW;
        try (DiskFile file = disk.create("f")) {
            file.write(ByteBuffer.allocate((int) size), 0);
            for (long at : others) {
                file.write(ByteBuffer.wrap(new byte[] {1}), at);
            }
            Window window = new Window(file, size + 10);
            for (long from = 0; from < size; from += 7) {
                assertThat(window.skipZeros(from)).as("from " + from).isEqualTo(next(others, from, size + 10));
            }
            assertThat(window.at(0, 3 * WINDOW)).isZero();
            assertThat(window.skipZeros(WINDOW + 2)).as("the buffer has grown").isEqualTo(3 * WINDOW + 5);
            assertThat(new Window(file, 4096).skipZeros(9))
                    .as("nothing behind the limit")
                    .isEqualTo(4096);
            assertThat(window.skipZeros(size + 10)).isEqualTo(size + 10);
        }
    }

    private static long next(long[] others, long from, long otherwise) {
        for (long at : others) {
            if (at >= from) {
                return at;
            }
        }
        return otherwise;
    }
}
