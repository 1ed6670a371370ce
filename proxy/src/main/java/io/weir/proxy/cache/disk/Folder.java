package io.weir.proxy.cache.disk;

import java.io.IOException;
import java.util.List;

/** The folder of a partition: the place where tests put a disk that fails. */
interface Folder extends AutoCloseable {
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

    /** Bytes that may still be written. */
    long usableBytes() throws IOException;

    @Override
    void close();
}
