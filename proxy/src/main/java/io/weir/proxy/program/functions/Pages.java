package io.weir.proxy.program.functions;

import io.weir.base.IoReason;
import io.weir.base.RegularFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Files that functions read once, when their directive is prepared. Stateless. */
final class Pages {
    /** Bound on a page, bytes. */
    static final int MAX_PAGE = 65536;

    /** Bound on other files: proxy auto-configurations, lists of URLs, tables of types. */
    static final int MAX_FILE = 1 << 20;

    private Pages() {}

    /**
     * Reads a file.
     *
     * @param what it is, for the message
     * @throws IllegalArgumentException if it cannot be read or is larger
     */
    static byte[] read(String what, String path, int most) {
        try {
            Path file = Path.of(path);
            byte[] bytes = RegularFile.read(file, most);
            if (bytes.length > most) {
                throw new IllegalArgumentException(what + " " + file + " is larger than " + most / 1024 + " KiB");
            }
            return bytes;
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(what + " " + path + " cannot be read: " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        return e instanceof IOException io ? IoReason.ofFile(io) : "it is no path";
    }

    /** The media type of a page: by its content, since the reference's pages are text or HTML. */
    static String type(byte[] page) {
        for (byte b : page) {
            if (b > ' ') {
                return b == '<' ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
            }
        }
        return "text/plain; charset=utf-8";
    }
}
