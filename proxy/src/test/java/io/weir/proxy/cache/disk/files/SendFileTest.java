package io.weir.proxy.cache.disk.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the system tells of its page cache. */
class SendFileTest {
    private static final int WRITTEN = 256 << 10;

    @TempDir
    private Path folder = Path.of("");

    /** Pages of a hole are in no page cache as long as nobody reads them. */
    private Path withHole() throws IOException {
        try (RealFolder real = RealFolder.open(folder);
                SegmentFile file = real.create("file")) {
            file.write(ByteBuffer.wrap(new byte[WRITTEN]), 0);
            file.write(ByteBuffer.wrap(new byte[1]), 4 * WRITTEN);
        }
        return folder.resolve("file");
    }

    @Test
    void eachWayTellsWhatIsThereAndWhatIsNot() throws IOException {
        int descriptor = PageCache.open(withHole());
        try {
            assertThat(SendFile.looks()).hasSize(2);
            // cachestat is missing in Linux before 6.5: then it knows nothing
            boolean counts = SendFile.looks().getFirst().cached(descriptor, 0, 1);
            for (SendFile.Look look :
                    counts ? SendFile.looks() : SendFile.looks().subList(1, 2)) {
                assertThat(look.cached(descriptor, 0, WRITTEN)).isTrue();
                assertThat(look.cached(descriptor, 70_001, 5)).isTrue();
                assertThat(look.cached(descriptor, WRITTEN - 1, 1)).isTrue();
                assertThat(look.cached(descriptor, 4 * WRITTEN, 1)).isTrue();
                assertThat(look.cached(descriptor, 100, 2 * WRITTEN)).isFalse();
                assertThat(look.cached(descriptor, 2 * WRITTEN, 1)).isFalse();
                assertThat(look.cached(descriptor, 2 * WRITTEN - 7, 2 * WRITTEN + 7))
                        .isFalse();
            }
        } finally {
            PageCache.close(descriptor);
        }
    }

    @Test
    void nothingIsKnownOfAFileThatIsNotOpen() {
        SendFile.looks()
                .forEach(look -> assertThat(look.cached(PageCache.NONE, 0, 1)).isFalse());
        assertThat(SendFile.send(PageCache.NONE, PageCache.NONE, 0, 1)).isEqualTo(-1);
    }

    @Test
    void aClosedFileIsNotSent() throws IOException {
        withHole();
        try (RealFolder real = RealFolder.unclaimed(folder)) {
            SegmentFile file = real.open("file");
            assertThat(file.cached(0, WRITTEN)).isTrue();
            file.close();
            assertThat(file.cached(0, WRITTEN)).isFalse();
            assertThat(file.send(PageCache.NONE, 0, WRITTEN)).isEqualTo(-1);
            file.close();
        }
    }
}
