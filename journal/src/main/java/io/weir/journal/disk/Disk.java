package io.weir.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * One flat directory of files: the journal's only interface to the operating system, so that the simulator can make it
 * fail at every step. {@link FileDisk} is the real one. Implementations may be used by two threads (the journal's and
 * the one that prepares segments), on different files.
 */
public interface Disk {
    /** Names of all files. */
    List<String> list() throws IOException;

    /** Creates a new, empty file; fails if it exists. */
    DiskFile create(String name) throws IOException;

    /**
     * Opens an existing file.
     *
     * @param direct each write returns only when its bytes are durable
     */
    DiskFile open(String name, boolean direct) throws IOException;

    /** Deletes a file. Durable after {@link #forceDirectory()}. */
    void delete(String name) throws IOException;

    /** Renames a file, replacing an existing one. After a crash there is either the old or the new. */
    void rename(String from, String to) throws IOException;

    /** Makes creations, deletions and names durable. */
    void forceDirectory() throws IOException;

    /**
     * Locks the directory for one journal.
     *
     * @throws IOException if it is locked already; names the holder if known
     */
    Closeable lock(String name) throws IOException;

    /** The location, for messages. */
    String place();
}
