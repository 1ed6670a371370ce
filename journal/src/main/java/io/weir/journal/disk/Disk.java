package io.weir.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * One flat directory of files: all that the journal asks of the operating system, so that the simulator can fail it at
 * every step. {@link FileDisk} is the real one. Implementations may be used by two threads (the journal's and the one that
 * prepares segments), on different files.
 */
public interface Disk {
    /** Names of all files. */
    List<String> list() throws IOException;

    /** Makes a new, empty file; fails where one is. */
    DiskFile create(String name) throws IOException;

    /**
     * Opens an existing file.
     *
     * @param direct each write returns only when its bytes are durable
     */
    DiskFile open(String name, boolean direct) throws IOException;

    /** Deletes a file. Durable after {@link #forceDirectory()}. */
    void delete(String name) throws IOException;

    /** Gives a file another name, in place of what has it. A crash finds the old or the new. */
    void rename(String from, String to) throws IOException;

    /** Makes creations, deletions and names durable. */
    void forceDirectory() throws IOException;

    /**
     * Takes the directory for one journal.
     *
     * @throws IOException when somebody else has it, saying who where that is known
     */
    Closeable lock(String name) throws IOException;

    /** How the place is called in messages. */
    String place();
}
