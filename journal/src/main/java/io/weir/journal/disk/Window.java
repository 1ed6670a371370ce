package io.weir.journal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads a file through a sliding buffer, which grows for a large record. Confined to one thread. */
public final class Window {
    private static final int BYTES = 128 * 1024;

    private final DiskFile file;
    private final long limit;
    private ByteBuffer buffer = ByteBuffer.allocate(BYTES).limit(0);
    private long start;

    /**
     * A window on the first bytes of a file.
     *
     * @param limit nothing after it is read
     */
    public Window(DiskFile file, long limit) {
        this.file = file;
        this.limit = limit;
    }

    /** Makes bytes available; returns the buffer's index of the first, or -1 if the file ends before. */
    public int at(long offset, int length) throws IOException {
        if (offset + length > limit) {
            return -1;
        }
        if (offset < start || offset + length > start + buffer.limit()) {
            fill(offset, length);
        }
        return offset + length <= start + buffer.limit() ? (int) (offset - start) : -1;
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    /** A view of bytes made available before. */
    @Nullable
    public ByteBuffer view(long offset, int length) throws IOException {
        int i = at(offset, length);
        return i < 0 ? null : buffer.slice(i, length);
    }

    private void fill(long offset, int length) throws IOException {
        if (buffer.capacity() < length) {
            buffer = ByteBuffer.allocate(length);
        }
        buffer.clear().limit((int) Math.min(buffer.capacity(), limit - offset));
        start = offset;
        while (buffer.hasRemaining() && file.read(buffer, start + buffer.position()) > 0) {
            // until full or at the end
        }
        buffer.flip();
    }
}
