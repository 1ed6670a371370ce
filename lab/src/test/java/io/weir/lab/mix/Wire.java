package io.weir.lab.mix;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A socket, written in pieces, and the syntax of HTTP/1 that clients and origins read alike. Confined to one thread. */
final class Wire implements AutoCloseable {
    /** Longer than anything may take on a machine with much else to do. */
    static final int PATIENCE_MILLIS = 90_000;

    private static final int SIP = 700;

    final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Dice dice;
    private boolean sipping;

    Wire(Socket connected, Dice dice) throws IOException {
        socket = connected;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), 8192);
        out = socket.getOutputStream();
        this.dice = dice;
    }

    InputStream in() {
        return in;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Whether what is read from now on is read in sips. */
    void sip(boolean on) {
        sipping = on;
    }

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /** Writes in up to eight pieces, cut anywhere, with a little time in between. */
    void writeInPieces(byte[] bytes) throws IOException {
        int pieces = Feature.CUTS.isOn() && dice.percent(40) ? 1 + dice.below(8) : 1;
        int from = 0;
        for (int i = 1; i < pieces && from < bytes.length; i++) {
            // half of the cuts near the beginning, where heads are
            int most = dice.percent(50) ? Math.min(40, bytes.length - from) : bytes.length - from;
            int n = 1 + dice.below(most);
            out.write(bytes, from, n);
            from += n;
            dice.pause(300);
        }
        out.write(bytes, from, bytes.length - from);
    }

    /** A line without its CRLF; null at the end of the connection. */
    @Nullable
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                int n = line.length();
                if (n == 0 || line.charAt(n - 1) != '\r') {
                    throw new IOException("a bare LF behind \"" + line + "\"");
                }
                line.setLength(n - 1);
                return line.toString();
            }
            line.append((char) b);
        }
        if (!line.isEmpty()) {
            throw new EOFException("within the line \"" + line + "\"");
        }
        return null;
    }

    /** Fields up to the empty line; names in lower case, values of several lines joined. */
    Map<String, String> fields() throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line = line(); ; line = line()) {
            if (line == null) {
                throw new EOFException("within a head");
            }
            if (line.isEmpty()) {
                return fields;
            }
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("no field: " + line);
            }
            fields.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (a, b) -> a + ", " + b);
        }
    }

    /** Reads bytes into the collected ones, as far as they come; false at the end of the connection. */
    boolean read(int count, ByteArrayOutputStream into) throws IOException {
        byte[] buffer = new byte[Math.min(Math.max(count, 1), sipping ? SIP : 65_536)];
        for (int left = count; left > 0; ) {
            int n = in.read(buffer, 0, Math.min(left, buffer.length));
            if (n < 0) {
                return false;
            }
            into.write(buffer, 0, n);
            left -= n;
            if (sipping) {
                dice.pause(100);
            }
        }
        return true;
    }

    /** Reads to the end of the connection. */
    void readAll(ByteArrayOutputStream into) throws IOException {
        while (read(4096, into)) {
            // more
        }
    }

    /** Reads a body in chunks, with its trailers. */
    void readChunks(ByteArrayOutputStream into, Map<String, String> trailers) throws IOException {
        while (true) {
            String size = line();
            if (size == null || !size.matches("[0-9a-fA-F]{1,7}(;.*)?")) {
                throw size == null ? new EOFException("within chunks") : new IOException("no chunk size: " + size);
            }
            int n = Integer.parseInt(size.split(";", 2)[0], 16);
            if (n == 0) {
                trailers.putAll(fields());
                return;
            }
            if (!read(n, into)) {
                throw new EOFException("within a chunk");
            }
            String end = line();
            if (end == null || !end.isEmpty()) {
                throw end == null ? new EOFException("behind a chunk") : new IOException("no end of a chunk: " + end);
            }
        }
    }

    /** A body in chunks of several sizes, up to the last one and its trailers. */
    static byte[] chunked(byte[] body, Dice dice, String trailers) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 200);
        for (int at = 0; at < body.length; ) {
            int n = Math.min(body.length - at, 1 + dice.below(dice.percent(20) ? 20 : 40_000));
            out.writeBytes(bytes(Integer.toHexString(n) + "\r\n"));
            out.write(body, at, n);
            out.writeBytes(bytes("\r\n"));
            at += n;
        }
        out.writeBytes(bytes("0\r\n" + trailers + "\r\n"));
        return out.toByteArray();
    }

    /** Closes with a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
