package io.weir.proxy.cache.disk.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The folder of a partition: the place where tests put a disk that fails. */
public interface Folder extends AutoCloseable {
    /** Locks it against others; false while another process uses it. */
    boolean claim() throws IOException;

    /** The names of all files. */
    List<String> names() throws IOException;

    /** Creates a file, which must not exist. */
    SegmentFile create(String name) throws IOException;

    SegmentFile open(String name) throws IOException;

    /** Removes a file; one that is not there is not an error. */
    void delete(String name) throws IOException;

    /** Gives a file another name, in place of the file that had it; the folder is forced. */
    void rename(String from, String to) throws IOException;

    /** Writes a file in place of the one that has the name: after a kill it is the one or the other. */
    default void replace(String name, ByteBuffer contents) throws IOException {
        String draft = name + ".new";
        delete(draft);
        SegmentFile file = create(draft);
        try {
            file.write(contents, 0);
            file.force();
        } finally {
            file.close();
        }
        rename(draft, name);
    }

    /**
     * Reads a small file: an identification of its kind, its version, what it says, and the checksum of all that in its
     * last four bytes.
     *
     * @return the whole of it; null if there is none, or it is damaged or of another version
     */
    default @Nullable ByteBuffer intact(String name, int kind, int version, int size) throws IOException {
        if (!names().contains(name)) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        SegmentFile file = open(name);
        try {
            return file.read(bytes, 0) == size && Checksum.intact(bytes, kind, version, size) ? bytes : null;
        } finally {
            file.close();
        }
    }

    /** Size of the file system. */
    long totalBytes() throws IOException;

    /**
     * Notes whether what is there may not be used by the next start. Needs no space, no permission on the folder, and no
     * folder that can still be found: the note is a byte of a file that is open.
     */
    void mark(boolean unusable) throws IOException;

    /** Whether it was noted. */
    boolean marked() throws IOException;

    /** Bytes that may still be written. */
    long usableBytes() throws IOException;

    @Override
    void close();
}
