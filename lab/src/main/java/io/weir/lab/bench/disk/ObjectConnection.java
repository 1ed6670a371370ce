package io.weir.lab.bench.disk;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A connection to a server that is measured: one request after the other. Lives until closed; confined to its thread. */
final class ObjectConnection implements AutoCloseable {
    private static final int TIME_OUT_MILLIS = 30_000;
    private static final int LONGEST_HEAD = 16 << 10;
    private static final int BUFFER = 64 << 10;

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];

    /**
     * An answer, whose body was read.
     *
     * @param head in lower case
     */
    record Answer(int status, String head, long bytes) {
        /** The value of a field; null: it has none. */
        @Nullable
        String field(String name) {
            int at = head.indexOf("\r\n" + name + ":");
            if (at < 0) {
                return null;
            }
            int from = at + name.length() + 3;
            return head.substring(from, head.indexOf("\r\n", from)).strip();
        }
    }

    private ObjectConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    }

    static ObjectConnection open(int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIME_OUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIME_OUT_MILLIS);
            return new ObjectConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Requests an object.
     *
     * @throws IOException if there is no whole answer; the connection is of no more use then
     */
    Answer get(String path) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: bench.test\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        String head = head();
        Answer answer = new Answer(Integer.parseInt(head.substring(9, 12)), head, length(head));
        for (long left = answer.bytes(); left > 0; ) {
            int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new EOFException("the body ends early");
            }
            left -= n;
        }
        return answer;
    }

    private String head() throws IOException {
        StringBuilder text = new StringBuilder(512);
        int end = 0;
        while (end < 4) {
            int b = in.read();
            if (b < 0 || text.length() == LONGEST_HEAD) {
                throw new EOFException(text.isEmpty() ? "closed" : "no whole head: " + text);
            }
            text.append((char) b);
            end = b == "\r\n\r\n".charAt(end) ? end + 1 : b == '\r' ? 1 : 0;
        }
        if (!text.toString().startsWith("HTTP/1.") || text.length() < 16) {
            throw new IOException("not an answer: " + text);
        }
        return text.toString().toLowerCase(Locale.ROOT);
    }

    private static long length(String head) throws IOException {
        int at = head.indexOf("\r\ncontent-length:");
        if (at < 0) {
            throw new IOException("an answer without a length: " + head.strip());
        }
        int from = at + 17;
        return Long.parseLong(head.substring(from, head.indexOf("\r\n", from)).strip());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
