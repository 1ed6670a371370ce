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

    /** Whether the page cache has a part, which can be sent from there; false also if that is not known. */
    default boolean cached(long position, long length) {
        return false;
    }

    /**
     * Sends to a socket what {@link #cached} told to be there, without copying it.
     *
     * @param socket a descriptor
     * @return the number of bytes; 0 if the socket takes none at present; -1 if it cannot be done
     */
    default long send(int socket, long position, long most) {
        return -1;
    }

    /** Forces what was written to the disk. */
    void force() throws IOException;

    long size() throws IOException;

    void truncate(long bytes) throws IOException;

    @Override
    void close();
}
