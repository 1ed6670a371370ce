package io.weir.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file of a {@link Disk}. Confined to one thread at a time. */
public interface DiskFile extends Closeable {
    /**
     * Writes from the buffer's position, possibly fewer bytes than remain.
     *
     * @return bytes written, advancing the buffer
     */
    int write(ByteBuffer from, long position) throws IOException;

    /** Reads into the buffer, possibly fewer bytes than it has room for; -1 at the end of the file. */
    int read(ByteBuffer into, long position) throws IOException;

    /** Makes everything written durable. After a failure the state of the written data is permanently unknown. */
    void force() throws IOException;

    long size() throws IOException;

    /** Truncates the file. */
    void truncate(long size) throws IOException;
}
