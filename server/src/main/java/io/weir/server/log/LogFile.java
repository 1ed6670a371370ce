package io.weir.server.log;

import io.weir.base.OwnerOnly;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The server log's file with its rotated predecessors {@code .1}, {@code .2} …; never more than
 * {@code (keep + 1) * rotateSize} bytes and one line. Confined to the writer thread.
 */
final class LogFile {
    private final Path path;
    private final Path dataDir;
    private @Nullable OutputStream out;
    private long size;

    /** @param dataDir within which the file is private to its owner */
    LogFile(Path path, Path dataDir) {
        this.path = path;
        this.dataDir = dataDir;
    }

    Path path() {
        return path;
    }

    /**
     * Appends a line, rotating first if it would make the file too large.
     *
     * @return whether the file was rotated
     */
    boolean append(String line, long rotateSize, int keep) throws IOException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        OutputStream o = open();
        boolean full = size > 0 && size + bytes.length > rotateSize;
        if (full) {
            close();
            rotate(keep);
            o = open();
        }
        o.write(bytes);
        size += bytes.length;
        return full;
    }

    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    void close() throws IOException {
        OutputStream o = out;
        out = null;
        if (o != null) {
            o.close();
        }
    }

    private OutputStream open() throws IOException {
        OutputStream o = out;
        if (o == null) {
            OwnerOnly.log(path, dataDir);
            o = new BufferedOutputStream(
                    Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND), 16_384);
            size = Files.size(path);
            out = o;
        }
        return o;
    }

    private void rotate(int keep) throws IOException {
        for (int i = keep; ; i++) {
            if (!Files.deleteIfExists(numbered(i))) {
                break;
            }
        }
        for (int i = keep - 1; i >= 1; i--) {
            if (Files.exists(numbered(i))) {
                Files.move(numbered(i), numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(path, numbered(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path numbered(int i) {
        return path.resolveSibling(path.getFileName() + "." + i);
    }
}
