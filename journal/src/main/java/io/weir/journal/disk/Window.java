package io.weir.journal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads a file through a sliding buffer, which grows for a large record. Confined to one thread. */
public final class Window {
    private static final int BYTES = 128 * 1024;
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(BYTES).asReadOnlyBuffer();

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

    /**
     * The position of the first byte from here on that is not zero; the limit if all are zero or the file ends before. A
     * segment is mostly zeros after a short life, and each start reads it several times.
     */
    public long skipZeros(long offset) throws IOException {
        long position = offset;
        while (position < limit) {
            int i = at(position, 1);
            if (i < 0) {
                return limit;
            }
            int length = Math.min(buffer.limit() - i, BYTES);
            int other = buffer.slice(i, length).mismatch(ZEROS.slice(0, length));
            if (other >= 0) {
                return position + other;
            }
            position += length;
        }
        return limit;
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
