package io.weir.lab.load;

import io.weir.base.Clock;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Bodies of any size over one connection, as fast as possible or at a bounded rate. Stateless. */
public final class BigBodies {
    private static final int BLOCK = 65536;

    private BigBodies() {}

    /**
     * Downloads a body of a {@link LoadOrigin} and returns the number of bytes received.
     *
     * @param bytesPerSecond 0: as fast as they arrive
     * @param millis stops reading after this long; 0: reads to the end
     */
    public static long download(Socket socket, long bytes, long bytesPerSecond, long millis, Clock clock)
            throws IOException {
        socket.getOutputStream()
                .write(("GET /bytes/" + bytes + " HTTP/1.1\r\nHost: big\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = new BufferedInputStream(socket.getInputStream(), 4096);
        skipHead(in);
        byte[] block = new byte[bytesPerSecond == 0 ? BLOCK : 4096];
        long start = clock.nanos();
        long got = 0;
        while (got < bytes && (millis == 0 || clock.nanos() - start < TimeUnit.MILLISECONDS.toNanos(millis))) {
            int n = in.read(block, 0, (int) Math.min(block.length, bytes - got));
            if (n < 0) {
                throw new IOException("cut after " + got);
            }
            got += n;
            if (bytesPerSecond > 0) {
                long due = start + TimeUnit.SECONDS.toNanos(1) * got / bytesPerSecond;
                LockSupport.parkNanos(Math.max(0, due - clock.nanos()));
            }
        }
        return got;
    }

    /** Uploads a body and reads the answer. */
    public static void upload(Socket socket, long bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(("POST /upload HTTP/1.1\r\nHost: big\r\nContent-Length: " + bytes + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        byte[] block = new byte[BLOCK];
        for (long left = bytes; left > 0; ) {
            int n = (int) Math.min(left, block.length);
            out.write(block, 0, n);
            left -= n;
        }
        out.flush();
        if (!Answers.readOne(new BufferedInputStream(socket.getInputStream(), 4096))) {
            throw new IOException("the connection was not kept");
        }
    }

    private static void skipHead(InputStream in) throws IOException {
        int matched = 0;
        while (matched < 4) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("no head");
            }
            matched = b == "\r\n\r\n".charAt(matched) ? matched + 1 : b == '\r' ? 1 : 0;
        }
    }
}
