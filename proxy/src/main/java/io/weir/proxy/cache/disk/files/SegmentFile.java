package io.weir.proxy.cache.disk.files;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a partition. Written by one thread, read by several. */
public interface SegmentFile extends AutoCloseable {
    /** Writes all of the buffer at the position. */
    void write(ByteBuffer from, long position) throws IOException;

    /** Fills the buffer from the position on; less only at the end of the file. Returns the number of bytes. */
    int read(ByteBuffer into, long position) throws IOException;

    /**
     * Fills a direct buffer from the position on without waiting for the disk; returns false if that cannot be done: then
     * the buffer has any content.
     */
    boolean readNow(ByteBuffer into, long position);

    /** Forces what was written to the disk. */
    void force() throws IOException;

    long size() throws IOException;

    void truncate(long bytes) throws IOException;

    @Override
    void close();
}
