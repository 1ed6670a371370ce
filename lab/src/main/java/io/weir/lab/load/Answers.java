package io.weir.lab.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Reads complete answers and discards them. Stateless. */
public final class Answers {
    private Answers() {}

    /** Reads one answer; returns false if the server closed the connection with it, or instead of it. */
    public static boolean readOne(InputStream in) throws IOException {
        return read(in, "HTTP/1.1 ");
    }

    /** The same for an answer that must be successful: throws with any other status. */
    public static boolean readGood(InputStream in) throws IOException {
        return read(in, "HTTP/1.1 2");
    }

    private static boolean read(InputStream in, String begins) throws IOException {
        String start = line(in);
        long length = -1;
        boolean chunked = false;
        boolean close = false;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = true;
            } else if (lower.startsWith("connection:")) {
                close = lower.contains("close");
            }
        }
        if (!start.startsWith(begins)) {
            throw new IOException("not such an answer: " + start);
        }
        if (chunked) {
            chunks(in);
        } else {
            in.skipNBytes(Math.max(0, length));
        }
        return !close;
    }

    private static void chunks(InputStream in) throws IOException {
        long size;
        do {
            size = Long.parseLong(line(in), 16);
            in.skipNBytes(size);
            line(in);
        } while (size > 0);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            line.append((char) b);
        }
        return line.toString().stripTrailing();
    }
}
